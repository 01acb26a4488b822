"""The project's own text files."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOT_OURS = {".git", "build", "node_modules", "trestle-data", "__pycache__", "corpus"}
SUFFIXES = {".cc", ".h", ".py", ".md", ".txt", ".sh", ".cmake", ".in", ".mjs", ".json", ".yaml"}
SUFFIXES |= {".ts", ".tsx", ".css", ""}


def text_files():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - NOT_OURS)
        for name in sorted(names):
            file = pathlib.Path(folder, name)
            if file.suffix in SUFFIXES and name != "LICENSE" and not file.is_symlink():
                yield file
