import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  StreamLanguage,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Something to say about a place in the text; both count from 1. */
export interface Mark {
  line: number;
  column: number;
  severity: "error" | "warning";
  message: string;
}

interface EditorOptions {
  label: string;
  language: "json" | "design";
  isReadOnly: boolean;
  text: string;
  onChange: (text: string) => void;
  onSave: () => void;
}

export interface OpenEditor {
  setText(text: string): void;
  setMarks(marks: Mark[]): void;
  showLine(line: number): void;
  close(): void;
}

const words = new Set(
  (
    "design version param table key index local entity mirror access operation shape load unique " +
    "type discriminate by attribute timestamps billing on_demand provisioned ttl stream lock " +
    "project all include belongs_to must_exist count sum average into on_delete cascade " +
    "restrict detach through query get create update delete external begins between before " +
    "after from is order asc desc either limit filter only merge immutable derived_count " +
    "derived_copy derived_sum derived_average append_only normalise lower when on_update " +
    "required absent pk sk of separator parameter group identity via rekey on each eventual" +
    " tenant pitr encryption"
  ).split(" "),
);
const types = new Set(
  "string int number bool id email url date timestamp moment enum list set map binary any".split(
    " ",
  ),
);

const design = StreamLanguage.define({
  name: "design",
  token(stream) {
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return "string";
    if (stream.match(/^-?\d+(\.\d+)?/)) return "number";
    const word = stream.match(/^[A-Za-z_][A-Za-z0-9_]*/) as RegExpMatchArray | null;
    if (word) {
      if (types.has(word[0])) return "typeName";
      if (words.has(word[0])) return "keyword";
      return /^[A-Z]/.test(word[0]) ? "className" : "variableName";
    }
    stream.next();
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.keyword, color: "var(--code-word)", fontWeight: "600" },
  { tag: [tags.typeName, tags.className], color: "var(--code-name)" },
  { tag: tags.propertyName, color: "var(--code-name)" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--card)", fontSize: "13.5px", height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--ink-soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--wash)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--select)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    border: "1px solid var(--line)",
    maxWidth: "46rem",
  },
  ".cm-diagnostic": { padding: "6px 10px", borderLeftWidth: "4px" },
  // The package's own marks are pictures in data: addresses, which the page's policy forbids.
  ".cm-lintRange": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn) 1px",
    textUnderlineOffset: "3px",
  },
  ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
  ".cm-lint-marker": {
    content: "none",
    width: "0.6em",
    height: "0.6em",
    margin: "0.45em 0.2em",
    borderRadius: "50%",
  },
  ".cm-lint-marker-error": { backgroundColor: "var(--bad)" },
  ".cm-lint-marker-warning": { backgroundColor: "var(--warn)", borderRadius: "0" },
  ".cm-matchingBracket": { backgroundColor: "var(--select)" },
});

export function openEditor(root: ShadowRoot, options: EditorOptions): OpenEditor {
  let isSetting = false;
  const save = () => {
    options.onSave();
    return true;
  };
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        lintGutter(),
        options.language === "json" ? json() : design,
        syntaxHighlighting(colours),
        look,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          "aria-label": options.label,
          spellcheck: "false",
          tabindex: "0",
        }),
        EditorView.editable.of(!options.isReadOnly),
        EditorState.readOnly.of(options.isReadOnly),
        // Escape, then Tab, leaves the editor.
        keymap.of([{ key: "Mod-s", run: save }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged && !isSetting) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  const toDiagnostic = (mark: Mark): Diagnostic => {
    const { doc } = view.state;
    const line = doc.line(Math.min(Math.max(mark.line, 1), doc.lines));
    const from = Math.min(line.from + Math.max(mark.column - 1, 0), line.to);
    const word = /^[\w"#{}]+/.exec(line.text.slice(from - line.from))?.[0].length ?? 1;
    return {
      from,
      to: Math.min(from + word, line.to),
      severity: mark.severity,
      message: mark.message,
    };
  };
  return {
    setText(text) {
      if (text === view.state.doc.toString()) return;
      isSetting = true;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      isSetting = false;
    },
    setMarks: (marks) => view.dispatch(setDiagnostics(view.state, marks.map(toDiagnostic))),
    showLine(number) {
      const line = view.state.doc.line(Math.min(Math.max(number, 1), view.state.doc.lines));
      view.dispatch({
        selection: { anchor: line.from },
        effects: EditorView.scrollIntoView(line.from, { y: "center" }),
      });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
