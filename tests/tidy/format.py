"""clang-format 14 has nothing to change."""

import re
import subprocess
import sys

from files import ROOT, text_files

if __name__ == "__main__":
    sources = [str(file) for file in text_files() if file.suffix in {".cc", ".h"}]
    complaints = subprocess.run(
        ["clang-format-14", "--dry-run", *sources], capture_output=True, text=True, check=True
    ).stderr
    found = sorted(set(re.findall(rf"^{re.escape(str(ROOT))}/(.*?):\d+:\d+: ", complaints, re.M)))
    print("\n".join(f"clang-format-14 -i {file}" for file in found) or "format: no problem")
    sys.exit(1 if found else 0)
