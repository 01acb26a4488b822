// Times and dates as people read them, in the zone of whoever is here.

import { signal } from "@preact/signals";

/** Where this device is. */
export const ownZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The device's until the person's own is known. */
export const zone = signal(ownZone);

let clock: { zone: string; format: Intl.DateTimeFormat } | undefined;

/** "2026-01-31 14:05:00", as clocks in the zone show it. */
export function wallText(time: number): string {
  if (clock?.zone !== zone.value) {
    const options = { timeZone: zone.value, dateStyle: "short", timeStyle: "medium" } as const;
    clock = { zone: zone.value, format: new Intl.DateTimeFormat("sv-SE", options) };
  }
  return clock.format.format(time);
}

/**
 * Where a moment stands on an axis of days: days of the zone are days of UTC there, and all of the
 * same length.
 */
export const wallMs = (time: string | number) =>
  Date.parse(`${wallText(new Date(time).getTime()).replace(" ", "T")}Z`);

const dateOptions = { day: "numeric", month: "short", year: "numeric" } as const;

/** "12 Jan 2026" */
export const dayText = (time: string | number) =>
  new Date(time).toLocaleDateString("en-GB", { ...dateOptions, timeZone: zone.value });
/** Of a calendar date, which has no zone. */
export const dateText = (date: string) =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", { ...dateOptions, timeZone: "UTC" });
/** "14:05" */
export const timeText = (time: string | number) =>
  new Date(time).toLocaleTimeString("en-GB", {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone.value,
  });
/** "2026-01-12" */
export const dateOf = (time: string | number) =>
  new Date(time).toLocaleDateString("sv-SE", { timeZone: zone.value });

const steps: [number, Intl.RelativeTimeFormatUnit][] = [
  [365 * 86_400, "year"],
  [30 * 86_400, "month"],
  [7 * 86_400, "week"],
  [86_400, "day"],
  [3600, "hour"],
  [60, "minute"],
];

/** "3 days ago", "in 2 hours", "just now" */
export function agoText(time: string | number, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const step = steps.find(([length]) => Math.abs(seconds) >= length);
  if (!step) return "just now";
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  return words.format(Math.trunc(seconds / step[0]), step[1]);
}
