import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Problem } from "../shared/api";
import { agoText, dayText, timeText } from "../shared/dates";
import { Icon } from "../shared/icons";
import { useShortcut } from "../shared/keys";
import { leaving } from "../shared/leaving";
import { changed, touch } from "../shared/live";
import { Empty, Loading, PageTitle, ProblemBox, useLoad } from "../shared/pieces";
import { Link, navigate } from "../shared/router";
import { attempt } from "../shared/toast";
import {
  dropDeadline,
  dropReminder,
  isDone,
  move,
  remind,
  removeNoteSoon,
  setDone,
} from "./actions";
import {
  addDays,
  dayOf,
  deadlineText,
  distanceText,
  isDate,
  isOverdue,
  longDay,
  mondayOf,
  today,
} from "./days";
import { NoteText, tasksOf, withTask } from "./note_text";
import { Tags, Tick } from "./pieces";
import { inAnHour, tomorrowMorning } from "./reminders";
import { changeNote, getNote, type Note, notePath } from "./server";

function DueCard({ note }: { note: Note }) {
  const id = useId();
  const go = (date: string) => void move(note, date);
  const day = note.deadline ? dayOf(note.deadline) : "";
  const distance = note.deadline ? distanceText(note.deadline) : "";
  const days: [string, string][] = [
    ["Today", today()],
    ["Tomorrow", addDays(today(), 1)],
    ["Monday", addDays(mondayOf(today()), 7)],
  ];
  return (
    <section class="card stack side-card" aria-labelledby={`${id}-due`}>
      <h2 id={`${id}-due`}>Due</h2>
      {note.deadline ? (
        <p class={`due-large ${isOverdue(note) ? "is-late" : ""}`}>
          <strong>{deadlineText(note.deadline)}</strong>
          {distance !== deadlineText(note.deadline).toLowerCase() && (
            <span>
              {isOverdue(note) ? "overdue, " : ""}
              {distance}
            </span>
          )}
          <small>{longDay(day)}</small>
        </p>
      ) : (
        <p class="soft">Without a day. Give it one when it has to be done by then.</p>
      )}
      <p class="row tight">
        {days.map(([label, date]) => (
          <button
            key={label}
            type="button"
            class="small"
            aria-pressed={day === date}
            onClick={() => go(date)}
          >
            {label}
          </button>
        ))}
      </p>
      <div class="field">
        <label for={`${id}-day`}>Another day</label>
        <input
          id={`${id}-day`}
          type="date"
          value={day}
          onChange={(event) => {
            const date = event.currentTarget.value;
            if (isDate(date) && date !== day) go(date);
          }}
        />
      </div>
      {note.deadline && (
        <button type="button" class="quiet small start" onClick={() => void dropDeadline(note)}>
          No deadline
        </button>
      )}
    </section>
  );
}

function ReminderCard({ note }: { note: Note }) {
  if (note.done) return null;
  return (
    <section class="card stack side-card" aria-labelledby="reminder">
      <h2 id="reminder">Reminder</h2>
      {note.remindAt ? (
        <p>
          <Icon name="bell" /> {deadlineText(note.remindAt)}
        </p>
      ) : (
        <p class="soft">None.</p>
      )}
      <p class="row tight">
        <button type="button" class="small" onClick={() => void remind(note, inAnHour())}>
          In an hour
        </button>
        <button type="button" class="small" onClick={() => void remind(note, tomorrowMorning())}>
          Tomorrow at 8
        </button>
        {note.remindAt && (
          <button type="button" class="quiet small" onClick={() => void dropReminder(note)}>
            No reminder
          </button>
        )}
      </p>
    </section>
  );
}

function Content({ note }: { note: Note }) {
  // Ticked here before the server has said so, until what was read has it too.
  const ticked = useSignal<{ content: string; until: number } | null>(null);
  const shown = (it: { content: string; until: number } | null) =>
    it && note.version < it.until ? it.content : (note.content ?? "");
  const content = shown(ticked.value);
  const tasks = tasksOf(content);
  const tick = (line: number, isTicked: boolean) =>
    attempt(async () => {
      const mine = { content: withTask(shown(ticked.peek()), line, isTicked), until: Infinity };
      ticked.value = mine;
      try {
        const { version } = await changeNote(note, { content: mine.content });
        if (ticked.peek() === mine) ticked.value = { ...mine, until: version };
      } catch (error) {
        ticked.value = null;
        throw error;
      } finally {
        touch();
      }
    });
  if (!content.trim()) {
    return (
      <p class="soft">
        Nothing more is written. <Link href={`/notes/note/${note.id}/edit`}>Write something</Link>
      </p>
    );
  }
  return (
    <>
      {tasks.all > 0 && (
        <div class="task-meter">
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true" focusable="false">
            <rect class="meter-whole" width={100} height={4} />
            <rect class="meter-part" width={(tasks.done / tasks.all) * 100} height={4} />
          </svg>
          <small>
            {tasks.done} of {tasks.all} done
          </small>
        </div>
      )}
      <NoteText text={content} onTask={(line, isTicked) => void tick(line, isTicked)} />
    </>
  );
}

export function NotePage({ id }: { id: string }) {
  const {
    data: note,
    error,
    reload,
  } = useLoad((signal) => getNote(id, signal), [id, changed.value]);
  const remove = () => {
    if (!note) return;
    removeNoteSoon(note);
    navigate("/notes");
  };
  useShortcut("e", "Edit this note", () => navigate(`/notes/note/${id}/edit`));
  useShortcut("x", "Done, or open again", () => void (note && setDone(note, !isDone(note))));
  useShortcut("1", "Move it to today", () => void (note && move(note, today())));
  useShortcut("2", "Move it to tomorrow", () => void (note && move(note, addDays(today(), 1))));
  if (leaving.value.has(notePath(id)) || (error instanceof Problem && error.status === 404)) {
    return (
      <Empty isPage title="This note is not here">
        <p>It was deleted, or it never was yours.</p>
        <Link class="button" href="/notes">
          All notes
        </Link>
      </Empty>
    );
  }
  if (error !== undefined) return <ProblemBox error={error} onRetry={reload} />;
  if (!note) return <Loading what="Opening the note" />;
  return (
    <>
      <div class={`note-head ${isDone(note) ? "is-done" : ""}`}>
        <Tick note={note} isLarge />
        <PageTitle title={note.title}>
          <Link class="button" href={`/notes/note/${id}/edit`}>
            <Icon name="design" /> Edit
          </Link>
          <button type="button" class="danger" onClick={remove}>
            <Icon name="trash" /> Delete
          </button>
        </PageTitle>
      </div>
      <div class="note-body">
        <article class="card stack paper" aria-label={note.title}>
          <Content note={note} />
        </article>
        <div class="stack">
          <DueCard note={note} />
          <ReminderCard note={note} />
          {note.tags.length > 0 && (
            <section class="card stack side-card" aria-labelledby="tags">
              <h2 id="tags">Tags</h2>
              <p class="row tight">
                <Tags tags={note.tags} isLinked />
              </p>
            </section>
          )}
          <p class="soft note-times">
            {note.doneAt && (
              <>
                Done {dayText(note.doneAt)}, {timeText(note.doneAt)}
                <br />
              </>
            )}
            Written {dayText(note.createdAt)}, {timeText(note.createdAt)}
            {note.updatedAt !== note.createdAt && (
              <>
                <br />
                Changed {agoText(note.updatedAt)}
              </>
            )}
          </p>
        </div>
      </div>
    </>
  );
}
