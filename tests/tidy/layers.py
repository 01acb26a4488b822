"""Every include points down the layers: the table is in tools/check_layers.py."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

if __name__ == "__main__":
    sys.exit(subprocess.call([sys.executable, ROOT / "tools/check_layers.py", ROOT / "src"]))
