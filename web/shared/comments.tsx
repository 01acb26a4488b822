// What people say about something, and answer each other.

import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { type List, Problem, user } from "./api";
import { agoText } from "./dates";
import { AreaField, FormProblem, SubmitButton, useForm } from "./form";
import { leaving, removeSoon } from "./leaving";
import { touch } from "./live";
import { Markdown } from "./markdown";
import type { Pages } from "./pages";
import { hueOf, Loading, ProblemBox } from "./pieces";
import { ReadOn } from "./read_on";
import { Link } from "./router";
import { done } from "./toast";

/** One of them, however its application names its parts. */
export interface Said {
  id: string;
  /** What it answers. */
  parent?: string;
  author: { name: string; href: string };
  mark?: string;
  at: string;
  isEdited: boolean;
  text?: string;
  /** What stands where there is no text. */
  gone?: string;
  isOwn: boolean;
  path: string;
  etag: string;
  canRemove: boolean;
  save: (text: string) => Promise<unknown>;
  reply?: (text: string) => Promise<unknown>;
  /** What else can be done with it. */
  tools?: ComponentChildren;
}

interface CommentFormProps {
  label: string;
  name: string;
  text?: string;
  button: string;
  save: (text: string) => Promise<unknown>;
  onEnd?: () => void;
  place?: RefObject<HTMLFormElement | null>;
}

function CommentForm({ label, name, text = "", button, save, onEnd, place }: CommentFormProps) {
  const turn = useSignal(0);
  const { state, onSubmit } = useForm(async (data) => {
    try {
      await save(String(data.get(name) ?? ""));
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 412) throw error;
      throw new Error(
        "this comment was changed elsewhere; copy your text, close this and open it again",
      );
    }
    turn.value += 1;
    touch();
    onEnd?.();
  });
  return (
    <form class="form comment-form" onSubmit={onSubmit} noValidate ref={place}>
      <AreaField
        key={turn.value}
        label={label}
        name={name}
        rows={3}
        state={state.value}
        defaultValue={text}
        hint="**bold**, *italic*, lists"
      />
      <FormProblem state={state.value} />
      <div class="form-end">
        {onEnd && (
          <button type="button" onClick={onEnd}>
            Cancel
          </button>
        )}
        <SubmitButton state={state.value}>{button}</SubmitButton>
      </div>
    </form>
  );
}

interface OneProps {
  said: Said;
  name: string;
  answers: Map<string, Said[]>;
}

function One({ said, name, answers }: OneProps) {
  const open = useSignal<"reply" | "edit" | null>(null);
  const close = () => void (open.value = null);
  const below = answers.get(said.id) ?? [];
  const isLeaving = leaving.value.has(said.path);
  if (isLeaving && below.length === 0) return null;
  const isHere = said.text !== undefined && !isLeaving;
  const { author } = said;
  const tool = (label: string, what: string, onClick: () => void) => (
    <button type="button" class="quiet small" aria-label={`${label}${what}`} onClick={onClick}>
      {label}
    </button>
  );
  return (
    <li class="comment">
      <span class={`comment-face ${hueOf(author.name)}`} aria-hidden="true">
        {[...author.name][0]}
      </span>
      <article class="comment-body" aria-label={`Comment by ${author.name}`}>
        <header class="comment-head">
          <Link href={author.href}>{author.name}</Link>
          {said.mark && <span class="chip">{said.mark}</span>}
          <small>
            <time dateTime={said.at}>{agoText(said.at)}</time>
            {said.isEdited && ", edited"}
          </small>
        </header>
        {open.value === "edit" ? (
          <CommentForm
            label="Your comment"
            name={name}
            text={said.text}
            button="Save comment"
            save={said.save}
            onEnd={close}
          />
        ) : isHere ? (
          <Markdown text={said.text ?? ""} />
        ) : (
          <p class="soft">{said.gone ?? "[removed]"}</p>
        )}
        {user.value && isHere && open.value === null && (
          <footer class="comment-tools">
            {said.tools}
            {said.reply && tool("Reply", ` to ${author.name}`, () => (open.value = "reply"))}
            {said.isOwn && tool("Edit", " comment", () => (open.value = "edit"))}
            {said.canRemove &&
              tool("Delete", " comment", () =>
                removeSoon(said.path, said.etag, "The comment is deleted"),
              )}
          </footer>
        )}
        {open.value === "reply" && said.reply && (
          <CommentForm
            label={`Reply to ${author.name}`}
            name={name}
            button="Send reply"
            save={said.reply}
            onEnd={close}
          />
        )}
        {below.length > 0 && (
          <ul class="comment-list">
            {below.map((answer) => (
              <One key={answer.id} said={answer} name={name} answers={answers} />
            ))}
          </ul>
        )}
      </article>
    </li>
  );
}

interface CommentsProps {
  title: string;
  /** Of the field to write in, as the server names it. */
  name: string;
  pages: Pages<List<unknown>>;
  all: Said[];
  add: (text: string) => Promise<unknown>;
  place?: RefObject<HTMLFormElement | null>;
}

/** All of them, answers below what they answer, and a place to say something. */
export function Comments({ title, name, pages, all, add, place }: CommentsProps) {
  const answers = new Map<string, Said[]>();
  const known = new Set(all.map((said) => said.id));
  for (const said of all) {
    const above = said.parent && known.has(said.parent) ? said.parent : "";
    answers.set(above, [...(answers.get(above) ?? []), said]);
  }
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <section class="stack comments" aria-labelledby="comments">
      <h2 id="comments">{title}</h2>
      {user.value ? (
        <CommentForm
          place={place}
          label="What do you think?"
          name={name}
          button="Comment"
          save={async (text) => {
            await add(text);
            done("Your comment is there");
          }}
        />
      ) : (
        <p class="soft">
          <a href={`/signin?next=${next}`}>Sign in</a> to say what you think.
        </p>
      )}
      {pages.error !== undefined && <ProblemBox error={pages.error} onRetry={pages.reload} />}
      {!pages.first && pages.error === undefined && <Loading />}
      {pages.first && all.every((said) => leaving.value.has(said.path)) && (
        <p class="soft">Nobody has said anything yet.</p>
      )}
      <ul class="comment-list">
        {(answers.get("") ?? []).map((said) => (
          <One key={said.id} said={said} name={name} answers={answers} />
        ))}
      </ul>
      <ReadOn cursor={pages.cursor} read={pages.more} />
    </section>
  );
}
