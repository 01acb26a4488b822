// What somebody wanted to be reminded of by now.

import { Icon } from "../shared/icons";
import { leaving } from "../shared/leaving";
import { changed } from "../shared/live";
import { useLoad } from "../shared/pieces";
import { Link } from "../shared/router";
import { attempt } from "../shared/toast";
import { dropReminder, remind } from "./actions";
import { addDays, deadlineText, momentOf, now, today } from "./days";
import { noteHref } from "./pieces";
import { dueReminders, getNote, type Note, notePath, type Reminder } from "./server";

const minuteMs = 60_000;

export const inAnHour = () => new Date(Date.now() + 60 * minuteMs).toISOString();
export const tomorrowMorning = () => momentOf(addDays(today(), 1), "08:00");

function One({ reminder }: { reminder: Reminder }) {
  const act = (use: (note: Note) => unknown) => () =>
    void attempt(async () => use(await getNote(reminder.noteId)));
  return (
    <li>
      <span class="reminder-words">
        <Link href={noteHref({ id: reminder.noteId })}>{reminder.title}</Link>{" "}
        <small>{deadlineText(reminder.remindAt)}</small>
      </span>
      <span class="reminder-tools">
        <button type="button" class="small" onClick={act((note) => remind(note, inAnHour()))}>
          In an hour
        </button>
        <button
          type="button"
          class="small"
          onClick={act((note) => remind(note, tomorrowMorning()))}
        >
          Tomorrow
        </button>
        <button
          type="button"
          class="quiet small"
          aria-label={`Dismiss the reminder of ${reminder.title}`}
          onClick={act(dropReminder)}
        >
          Dismiss
        </button>
      </span>
    </li>
  );
}

export function Reminders() {
  const { data } = useLoad(dueReminders, [changed.value, Math.floor(now.value / minuteMs)]);
  const due = (data?.items ?? []).filter((it) => !leaving.value.has(notePath(it.noteId)));
  if (due.length === 0) return null;
  return (
    <section class="reminders" aria-labelledby="reminders">
      <h2 id="reminders">
        <Icon name="bell" /> Reminders
      </h2>
      <ul>
        {due.map((reminder) => (
          <One key={reminder.noteId} reminder={reminder} />
        ))}
      </ul>
    </section>
  );
}
