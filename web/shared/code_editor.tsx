// CodeMirror, loaded when a page needs it. It sits in a shadow root: there its styles come as
// sheets made by script, which the page's policy allows, and not as elements, which it forbids.

import { useEffect, useRef } from "preact/hooks";
import type { Mark, OpenEditor } from "./code_mirror";
import { part } from "./part";

interface CodeEditorProps {
  label: string;
  value: string;
  language: "json" | "design";
  onChange?: (text: string) => void;
  onSave?: () => void;
  marks?: Mark[];
  isReadOnly?: boolean;
  /** A line to show, counted from 1. */
  line?: number;
}

export function CodeEditor({
  label,
  value,
  language,
  onChange,
  onSave,
  marks,
  isReadOnly,
  line,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<OpenEditor | null>(null);
  const latest = useRef({ value, onChange, onSave, marks, line });
  latest.current = { value, onChange, onSave, marks, line };
  // What the editor has said itself must not be written into it again: it may be further by now.
  const said = useRef({ text: value, count: 0 });
  const countSeen = said.current.count;

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isOver = false;
    void part(() => import("./code_mirror")).then(({ openEditor }) => {
      if (isOver) return;
      const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
      editor.current = openEditor(root, {
        label,
        language,
        isReadOnly: isReadOnly ?? false,
        text: latest.current.value,
        onChange: (text) => {
          said.current = { text, count: said.current.count + 1 };
          latest.current.onChange?.(text);
        },
        onSave: () => latest.current.onSave?.(),
      });
      editor.current.setMarks(latest.current.marks ?? []);
      if (latest.current.line) editor.current.showLine(latest.current.line);
    });
    return () => {
      isOver = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [label, language, isReadOnly]);
  useEffect(() => {
    if (said.current.count !== countSeen || said.current.text === value) return;
    said.current.text = value;
    editor.current?.setText(value);
  }, [value]);
  useEffect(() => editor.current?.setMarks(marks ?? []), [marks]);
  useEffect(() => {
    if (line) editor.current?.showLine(line);
  }, [line]);
  // In a dialog too: Escape, then Tab, leaves the text, and nothing else.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") event.preventDefault();
  };
  return <div class="code-editor" ref={host} data-label={label} onKeyDown={onKeyDown} />;
}
