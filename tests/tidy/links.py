"""Relative links of documents lead to a file, and to a heading where they name one."""

import re
import sys
import urllib.parse

from files import ROOT, text_files

LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`[^`\n]*`")
HEADING = re.compile(r"^#+ +(.*)$", re.MULTILINE)


def anchors(text: str) -> set[str]:
    """The names that a heading gets on the web."""
    plain = (re.sub(r"[^\w\- ]", "", title.lower()) for title in HEADING.findall(text))
    return {title.strip().replace(" ", "-") for title in plain}


def problems():
    for file in text_files():
        if file.suffix != ".md":
            continue
        text = INLINE.sub("", FENCED.sub("", file.read_text(encoding="utf-8")))
        for link in LINK.findall(text):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = urllib.parse.unquote(link).partition("#")
            target = (file.parent / path).resolve() if path else file
            if not target.exists():
                yield f"{file.relative_to(ROOT)}: {link} leads nowhere"
            elif anchor and target.suffix == ".md":
                if anchor not in anchors(target.read_text(encoding="utf-8")):
                    yield f"{file.relative_to(ROOT)}: {link}: no such heading"


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "links: no problem")
    sys.exit(1 if found else 0)
