// What a note says: Markdown, with lists that can be ticked off and tables.

import { Markdown } from "../shared/markdown";

const task = /^(\s*)[-*+]\s+\[([ xX])\]\s+(.*)$/;
const fence = /^\s*```/;
const row = /^\s*\|.*\|\s*$/;
const ruler = /^\s*\|[\s:|-]+\|\s*$/;

interface Task {
  line: number;
  depth: number;
  isDone: boolean;
  text: string;
}
type Piece =
  | { kind: "text"; text: string }
  | { kind: "tasks"; tasks: Task[] }
  | { kind: "table"; rows: string[][] };

const cellsOf = (line: string) =>
  line
    .trim()
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());

function taskOf(text: string, line: number): Task | undefined {
  const found = task.exec(text);
  if (!found) return undefined;
  const depth = Math.min(3, Math.floor((found[1] ?? "").length / 2));
  return { line, depth, isDone: found[2] !== " ", text: found[3] ?? "" };
}

/** A text in its pieces; what stands between fences is nothing but text. */
export function piecesOf(content: string): Piece[] {
  const lines = content.replaceAll("\r\n", "\n").split("\n");
  const pieces: Piece[] = [];
  let isCode = false;
  lines.forEach((text, line) => {
    const last = pieces.at(-1);
    const isFence = fence.test(text);
    const found = isCode || isFence ? undefined : taskOf(text, line);
    const isRow = !isCode && row.test(text);
    const isTable = isRow && (last?.kind === "table" || ruler.test(lines[line + 1] ?? ""));
    if (isFence) isCode = !isCode;
    if (found && last?.kind === "tasks") last.tasks.push(found);
    else if (found) pieces.push({ kind: "tasks", tasks: [found] });
    else if (isTable && last?.kind === "table") {
      if (!ruler.test(text)) last.rows.push(cellsOf(text));
    } else if (isTable) pieces.push({ kind: "table", rows: [cellsOf(text)] });
    else if (last?.kind === "text") last.text += `\n${text}`;
    else pieces.push({ kind: "text", text });
  });
  return pieces.filter((piece) => piece.kind !== "text" || piece.text.trim() !== "");
}

/** The same text with the task in `line` ticked, or not. */
export function withTask(content: string, line: number, isDone: boolean): string {
  const lines = content.split("\n");
  lines[line] = (lines[line] ?? "").replace(/\[[ xX]\]/, isDone ? "[x]" : "[ ]");
  return lines.join("\n");
}

/** How many tasks a text has, and how many are done. */
export function tasksOf(content: string | undefined): { done: number; all: number } {
  if (!content?.includes("[")) return { done: 0, all: 0 };
  const tasks = piecesOf(content).flatMap((piece) => (piece.kind === "tasks" ? piece.tasks : []));
  return { done: tasks.filter((it) => it.isDone).length, all: tasks.length };
}

/** The first words of a text, without its marks. */
export function firstWords(content: string | undefined): string {
  const line = (content ?? "").split("\n").find((it) => /[\p{L}\p{N}]/u.test(it)) ?? "";
  return line
    .replace(/^\s*([-*+]\s+(\[[ xX]\]\s+)?|\d+[.)]\s+|#{1,6}\s+|>\s?)/, "")
    .replaceAll(/\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`/g, "$1$2$3")
    .slice(0, 160);
}

interface NoteTextProps {
  text: string;
  /** Without it nothing can be ticked. */
  onTask?: (line: number, isDone: boolean) => void;
}

function Tasks({ tasks, onTask }: { tasks: Task[]; onTask: NoteTextProps["onTask"] }) {
  return (
    <ul class="tasks">
      {tasks.map((it) => (
        <li key={it.line} class={`depth-${it.depth}`}>
          <label>
            <input
              type="checkbox"
              checked={it.isDone}
              disabled={!onTask}
              onChange={(event) => onTask?.(it.line, event.currentTarget.checked)}
            />
            <Markdown text={it.text} />
          </label>
        </li>
      ))}
    </ul>
  );
}

function Table({ rows }: { rows: string[][] }) {
  const [head = [], ...body] = rows;
  return (
    <div class="data-table is-short" tabIndex={0} role="region" aria-label="Table in the note">
      <table>
        <thead>
          <tr>
            {head.map((cell, i) => (
              <th key={i} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((cells, i) => (
            <tr key={i}>
              {head.map((_, j) => (
                <td key={j}>
                  <Markdown text={cells[j] ?? ""} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function NoteText({ text, onTask }: NoteTextProps) {
  return (
    <div class="note-text">
      {piecesOf(text).map((piece, i) => {
        if (piece.kind === "tasks") return <Tasks key={i} tasks={piece.tasks} onTask={onTask} />;
        if (piece.kind === "table") return <Table key={i} rows={piece.rows} />;
        return <Markdown key={i} text={piece.text} />;
      })}
    </div>
  );
}
