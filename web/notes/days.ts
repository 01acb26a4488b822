// Days and deadlines. A day is that day wherever somebody is; a moment is shown in the zone of
// whoever is here; neither is ever turned into the other.

import { signal } from "@preact/signals";
import { wallMs, wallText } from "../shared/dates";
import type { Note } from "./server";

const dayMs = 86_400_000;

/** What time it is; pages that are left open follow it. */
export const now = signal(Date.now());

export const isDay = (deadline: string) => deadline.length === 10;
/** The day on which a deadline is, here. */
export const dayOf = (deadline: string) =>
  isDay(deadline) ? deadline : wallText(Date.parse(deadline)).slice(0, 10);
/** "14:05" */
export const clockOf = (moment: string) => wallText(Date.parse(moment)).slice(11, 16);
export const today = () => wallText(now.value).slice(0, 10);

const msOf = (date: string) => Date.parse(`${date}T00:00:00Z`);
export const addDays = (date: string, days: number) =>
  new Date(msOf(date) + days * dayMs).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string) =>
  Math.round((msOf(to) - msOf(from)) / dayMs);
/** 0 is Monday. */
export const weekdayOf = (date: string) => (new Date(msOf(date)).getUTCDay() + 6) % 7;
export const mondayOf = (date: string) => addDays(date, -weekdayOf(date));
export const isDate = (text: string) =>
  /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(msOf(text)) && addDays(text, 0) === text;
export const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** The moment when clocks here show `time` on `date`. */
export function momentOf(date: string, time: string): string {
  const wanted = isDate(date) && isTime(time) ? Date.parse(`${date}T${time}:00Z`) : NaN;
  // What is not a time goes as it is, and the server says what it wants.
  if (Number.isNaN(wanted)) return `${date}T${time}`;
  let at = wanted;
  for (let i = 0; i < 2; i += 1) at += wanted - wallMs(at);
  return new Date(at).toISOString();
}

const text = (date: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "UTC" }).format(msOf(date));

/** "Tuesday 17 November 2026" */
export const longDay = (date: string) =>
  text(date, { weekday: "long", day: "numeric", month: "long", year: "numeric" }).replace(",", "");
/** "Tue 17 Nov", with the year where it is another one. */
export const shortDay = (date: string) => {
  const isThisYear = date.slice(0, 4) === today().slice(0, 4);
  const options = { weekday: "short", day: "numeric", month: "short" } as const;
  const year = isThisYear ? {} : ({ year: "numeric" } as const);
  return text(date, { ...options, ...year }).replace(",", "");
};
export const monthText = (date: string) => text(date, { month: "long", year: "numeric" });
export const shortMonth = (date: string) => text(date, { month: "short" });
export const weekdayText = (date: string) => text(date, { weekday: "short" });
/** "16 – 22 Nov" */
export function weekText(monday: string): string {
  const sunday = addDays(monday, 6);
  const isOneMonth = monday.slice(0, 7) === sunday.slice(0, 7);
  const from = text(monday, isOneMonth ? { day: "numeric" } : { day: "numeric", month: "short" });
  return `${from} – ${text(sunday, { day: "numeric", month: "short" })}`;
}

/** "Today", "Yesterday", "Tue 17 Nov" */
export function nearDay(date: string): string {
  const days = daysBetween(today(), date);
  if (days === 0) return "Today";
  if (days === 1) return "Tomorrow";
  if (days === -1) return "Yesterday";
  return shortDay(date);
}

/** "Tomorrow, 09:30" */
export const deadlineText = (deadline: string) =>
  isDay(deadline) ? nearDay(deadline) : `${nearDay(dayOf(deadline))}, ${clockOf(deadline)}`;

export const isPast = (deadline: string) =>
  isDay(deadline) ? deadline < today() : Date.parse(deadline) < now.value;
export const isOverdue = (note: Note) => !note.done && !!note.deadline && isPast(note.deadline);

/** "in 3 days", "2 weeks late" */
export function distanceText(deadline: string): string {
  const days = daysBetween(today(), dayOf(deadline));
  const many = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;
  const length = (count: number) =>
    count < 14
      ? many(count, "day")
      : count < 70
        ? many(Math.round(count / 7), "week")
        : many(Math.round(count / 30), "month");
  if (days < 0) return `${length(-days)} ago`;
  if (days > 1) return `in ${length(days)}`;
  if (isDay(deadline) || days === 1) return days === 0 ? "today" : "tomorrow";
  const minutes = Math.round((Date.parse(deadline) - now.value) / 60_000);
  const words =
    Math.abs(minutes) < 60
      ? many(Math.abs(minutes), "minute")
      : many(Math.round(Math.abs(minutes) / 60), "hour");
  return minutes < 0 ? `${words} ago` : `in ${words}`;
}

export type Group = "overdue" | "today" | "tomorrow" | "week" | "later" | "undated";
export const groups: [Group, string][] = [
  ["overdue", "Overdue"],
  ["today", "Today"],
  ["tomorrow", "Tomorrow"],
  ["week", "This week"],
  ["later", "Later"],
  ["undated", "Without a day"],
];

export function groupOf(note: Note): Group {
  if (!note.deadline) return "undated";
  if (isOverdue(note)) return "overdue";
  const days = daysBetween(today(), dayOf(note.deadline));
  if (days <= 0) return "today";
  if (days === 1) return "tomorrow";
  return days < 7 ? "week" : "later";
}
