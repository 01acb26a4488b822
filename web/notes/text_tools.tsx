// Buttons and keys that set Markdown's marks around what is chosen in a text.

import type { RefObject } from "preact";

type Area = RefObject<HTMLTextAreaElement | null>;

interface Tool {
  label: string;
  shown: string;
  key?: string;
  around?: string;
  before?: string;
}

const tools: Tool[] = [
  { label: "Bold", shown: "B", key: "b", around: "**" },
  { label: "Italic", shown: "I", key: "i", around: "*" },
  { label: "Heading", shown: "H", before: "# " },
  { label: "List", shown: "•", before: "- " },
  { label: "Things to tick off", shown: "☑", before: "- [ ] " },
  { label: "Quotation", shown: "“", before: "> " },
];

// The browser's own way of typing keeps its way back, where it has one.
function type(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  if (document.execCommand?.("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
}

function apply(area: HTMLTextAreaElement, tool: Tool): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  if (tool.around) {
    const { around } = tool;
    type(area, around + value.slice(start, end) + around);
    area.setSelectionRange(start + around.length, end + around.length);
    return;
  }
  const mark = tool.before ?? "";
  const from = value.lastIndexOf("\n", start - 1) + 1;
  const lines = value.slice(from, end).split("\n");
  area.setSelectionRange(from, end);
  type(
    area,
    lines.map((line) => mark + line.replace(/^([-*+] (\[[ xX]\] )?|> |#+ )/, "")).join("\n"),
  );
}

// A new line in a list begins with the list's mark; an empty one ends the list.
function nextLine(area: HTMLTextAreaElement): boolean {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const from = value.lastIndexOf("\n", start - 1) + 1;
  const found = /^(\s*)(?:([-*+])|(\d+)([.)]))( \[[ xX]\])? (.*)$/.exec(value.slice(from, start));
  if (!found || start !== end) return false;
  const [, indent = "", bullet, number, dot = "", box, text = ""] = found;
  if (!text.trim()) {
    area.setSelectionRange(from, start);
    type(area, "\n");
    return true;
  }
  const mark = bullet ?? `${Number(number) + 1}${dot}`;
  type(area, `\n${indent}${mark}${box ? " [ ]" : ""} `);
  return true;
}

export function useTextKeys(area: Area, onChange: () => void) {
  return (event: KeyboardEvent) => {
    const element = area.current;
    if (!element || event.altKey || event.shiftKey) return;
    const hasControl = event.ctrlKey || event.metaKey;
    const tool = hasControl ? tools.find((it) => it.key === event.key) : undefined;
    if (tool) apply(element, tool);
    else if (hasControl || event.key !== "Enter" || !nextLine(element)) return;
    event.preventDefault();
    onChange();
  };
}

export function TextTools({ area, onChange }: { area: Area; onChange: () => void }) {
  return (
    <span class="text-tools" role="group" aria-label="Marks">
      {tools.map((tool) => (
        <button
          key={tool.label}
          type="button"
          class="quiet small"
          aria-label={tool.label}
          title={tool.key ? `${tool.label} (Ctrl ${tool.key.toUpperCase()})` : tool.label}
          onClick={() => {
            if (area.current) apply(area.current, tool);
            onChange();
          }}
        >
          {tool.shown}
        </button>
      ))}
    </span>
  );
}
