import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { CodeEditor } from "../shared/code_editor";
import { Dialog } from "../shared/dialog";
import { Icon } from "../shared/icons";
import { sentenceOf } from "../shared/api";
import { Loading, ProblemBox } from "../shared/pieces";
import { navigate } from "../shared/router";
import { done } from "../shared/toast";
import { Diff } from "./diff";
import { JsonProblem } from "./exact_json";
import { Conflict, createItem, deleteItem, readItem, updateItem } from "./item_save";
import { type Form, parseItem, printItem } from "./item_text";
import { keyNames, keysOf, keyText as textOfKey, keyTypeOf, type TableInfo } from "./server";
import { type AttributeValue, changesBetween, type Item, isEqual, own } from "./values";

interface ItemEditorProps {
  table: TableInfo;
  /** The item's key as JSON, "new", or null while nothing is open. */
  keyText: string | null;
  onClose: () => void;
  onSaved: () => void;
}

type Step = "edit" | "review" | "conflict";

function templateOf(table: TableInfo): Item {
  const empty = (name: string) => {
    const type = keyTypeOf(table, name);
    return type === "N" ? { N: "0" } : type === "B" ? { B: "" } : { S: "" };
  };
  return Object.fromEntries(keyNames(keysOf(table.KeySchema)).map((name) => [name, empty(name)]));
}

// What was typed into an item and closed, by table and key, for who wants it back.
const closed = new Map<string, { text: string; form: Form }>();

function Body({ table, keyText, onClose, onSaved }: ItemEditorProps & { keyText: string }) {
  const isNew = keyText === "new";
  const keys = keyNames(keysOf(table.KeySchema));
  const before = useSignal<Item | null | undefined>(isNew ? templateOf(table) : undefined);
  const draft = useSignal<Item>(isNew ? templateOf(table) : {});
  const text = useSignal(isNew ? printItem(templateOf(table), "dynamodb") : "");
  const form = useSignal<Form>("dynamodb");
  const step = useSignal<Step>("edit");
  const theirs = useSignal<Item | undefined>(undefined);
  const problem = useSignal<unknown>(undefined);
  const isBusy = useSignal(false);
  const isTyped = useRef(false);

  const show = (item: Item | undefined) => {
    before.value = item ?? null;
    draft.value = item ?? {};
    text.value = item ? printItem(item, form.value) : "";
    step.value = "edit";
    problem.value = undefined;
    isTyped.current = false;
  };
  useEffect(() => {
    const name = `${table.TableName} ${keyText}`;
    const address = location.pathname + location.search;
    const resume = () => {
      const kept = closed.get(name);
      if (!kept) return;
      closed.delete(name);
      text.value = kept.text;
      form.value = kept.form;
      isTyped.current = true;
    };
    const controller = new AbortController();
    if (isNew) resume();
    else {
      readItem(table, JSON.parse(keyText) as Item, controller.signal).then(
        (item) => {
          show(item);
          resume();
        },
        (error: unknown) => {
          if (!controller.signal.aborted) problem.value = error;
        },
      );
    }
    return () => {
      controller.abort();
      if (!isTyped.current) return;
      closed.set(name, { text: text.peek(), form: form.peek() });
      done("Closed without saving", () => navigate(address));
    };
  }, [keyText]);

  const parsed = (): Item | undefined => {
    try {
      draft.value = parseItem(text.value, form.value);
      problem.value = undefined;
      return draft.value;
    } catch (error) {
      problem.value = error;
      return undefined;
    }
  };
  const change = (next: Form) => {
    const item = parsed();
    if (!item || next === form.value) return;
    form.value = next;
    text.value = printItem(item, next);
  };
  const review = () => {
    const item = parsed();
    if (!item) return;
    const original = before.value ?? {};
    if (!isNew && keys.some((name) => !isEqual(own(item, name), own(original, name)))) {
      problem.value = new Error(
        `the key (${keys.join(", ")}) of an item cannot change; save it as a new item instead`,
      );
    } else if (!isNew && changesBetween(original, item).length === 0) {
      problem.value = new Error("nothing has been changed");
    } else step.value = "review";
  };
  const run = async (write: () => Promise<void>, told?: string) => {
    isBusy.value = true;
    try {
      await write();
      isTyped.current = false;
      if (told) done(told);
      onSaved();
      onClose();
    } catch (error) {
      if (error instanceof Conflict) {
        theirs.value = error.current;
        step.value = "conflict";
      } else problem.value = error;
    } finally {
      isBusy.value = false;
    }
  };
  const save = () =>
    run(
      () =>
        isNew ? createItem(table, draft.value) : updateItem(table, before.value ?? {}, draft.value),
      isNew ? "The item is made" : "The item is saved",
    );
  const saveAsNew = () => {
    const item = parsed();
    if (item) void run(() => createItem(table, item), "The item is made");
  };
  // What I have changed, on what the item has become.
  const rebase = (now: Item) => {
    const changes = changesBetween(before.value ?? {}, draft.value);
    const changed = new Map(changes.map((it) => [it.name, it.after]));
    const kept = Object.entries(now).filter(([name]) => !changed.has(name));
    const mine = [...changed].filter((it): it is [string, AttributeValue] => it[1] !== undefined);
    draft.value = Object.fromEntries([...kept, ...mine]);
    text.value = printItem(draft.value, form.value);
    before.value = now;
    step.value = "review";
  };
  const restore = async (gone: Item) => {
    await createItem(table, gone);
    onSaved();
  };
  const drop = () =>
    run(async () => {
      const gone = await deleteItem(table, before.value ?? {});
      done("The item is deleted", gone && (() => restore(gone)));
    });

  if (before.value === undefined)
    return problem.value ? (
      <ProblemBox error={problem.value} />
    ) : (
      <Loading what="Reading the item" />
    );
  if (before.value === null)
    return <ProblemBox error={new Error("there is no such item any more")} />;
  const marks =
    problem.value instanceof JsonProblem
      ? [
          {
            line: problem.value.line,
            column: problem.value.column,
            severity: "error" as const,
            message: problem.value.message,
          },
        ]
      : [];

  if (step.value === "conflict") {
    return (
      <>
        <div class="problem" role="alert">
          <p>
            {isNew
              ? "There is an item with this key already. Nothing was written."
              : theirs.value
                ? "Somebody else has changed this item since you read it. Nothing was written."
                : "Somebody else has deleted this item since you read it. Nothing was written."}
          </p>
        </div>
        <h3>Theirs and yours</h3>
        <Diff before={theirs.value ?? {}} after={draft.value} titles={["As it is now", "Yours"]} />
        <div class="form-end">
          <button type="button" onClick={() => (step.value = "edit")}>
            Back to my text
          </button>
          {!isNew && (
            <button type="button" onClick={() => show(theirs.value)}>
              Drop mine, show theirs
            </button>
          )}
          {!isNew && theirs.value && (
            <button type="button" class="primary" onClick={() => rebase(theirs.value ?? {})}>
              Put my changes on theirs
            </button>
          )}
        </div>
      </>
    );
  }
  if (step.value === "review") {
    return (
      <>
        <p>
          {isNew
            ? "This item will be made, unless there is one with its key:"
            : "This will change, if nobody else has changed the item meanwhile:"}
        </p>
        <Diff before={isNew ? {} : before.value} after={draft.value} />
        {problem.value !== undefined && <ProblemBox error={problem.value} />}
        <div class="form-end">
          <button type="button" onClick={() => (step.value = "edit")}>
            Back
          </button>
          <button
            type="button"
            class="primary"
            aria-busy={isBusy.value}
            disabled={isBusy.value}
            onClick={() => void save()}
          >
            {isBusy.value ? "Saving…" : "Save"}
          </button>
        </div>
      </>
    );
  }
  return (
    <>
      <div class="row spread">
        <div class="switch" role="group" aria-label="Form of the text">
          <button
            type="button"
            aria-pressed={form.value === "dynamodb"}
            onClick={() => change("dynamodb")}
          >
            DynamoDB JSON
          </button>
          <button
            type="button"
            aria-pressed={form.value === "plain"}
            onClick={() => change("plain")}
          >
            Plain
          </button>
        </div>
        {!isNew && (
          <div class="row">
            <button type="button" class="small" onClick={saveAsNew}>
              Save as new
            </button>
            <button
              type="button"
              class="small danger"
              disabled={isBusy.value}
              onClick={() => void drop()}
            >
              <Icon name="trash" /> Delete
            </button>
          </div>
        )}
      </div>
      <CodeEditor
        label="Item"
        language="json"
        value={text.value}
        marks={marks}
        onChange={(changed) => {
          text.value = changed;
          isTyped.current = true;
        }}
        onSave={review}
      />
      <p class="hint">
        {form.value === "plain" ? (
          <>
            Sets are <code>{'{"$ss": […]}'}</code>, <code>$ns</code>, <code>$bs</code>, bytes{" "}
            <code>{'{"$b": "base64"}'}</code>. Numbers keep every digit.
          </>
        ) : (
          <>
            Each value with its type: <code>{'{"S": "text"}'}</code>, <code>{'{"N": "1.5"}'}</code>.
            Ctrl+S reviews; Esc, then Tab, leaves the text.
          </>
        )}
      </p>
      {problem.value !== undefined && (
        <p class="form-problem" role="alert">
          {sentenceOf(problem.value)}
        </p>
      )}
      <div class="form-end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={review}>
          Review changes
        </button>
      </div>
    </>
  );
}

export function ItemEditor(props: ItemEditorProps) {
  const { table, keyText, onClose } = props;
  let title = "New item";
  if (keyText && keyText !== "new") {
    const key = JSON.parse(keyText) as Item;
    title = keyNames(keysOf(table.KeySchema))
      .map((name) => textOfKey(own(key, name)))
      .join("  ·  ");
  }
  return (
    <Dialog title={title} isOpen={keyText !== null} onClose={onClose} isSheet>
      {keyText !== null && <Body key={keyText} {...props} keyText={keyText} />}
    </Dialog>
  );
}
