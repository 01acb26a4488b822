// One line that says what, when and about what: "Call the dentist tomorrow 9:30 #health".

import { addDays, isDate, isTime, weekdayOf } from "./days";

export interface Entry {
  title: string;
  tags: string[];
  date?: string;
  /** "09:30" */
  time?: string;
}

const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const monthPattern =
  "(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|" +
  "aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const weekdayPattern =
  "(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|" +
  "fri(?:day)?|sat(?:urday)?|sun(?:day)?)";

const two = (text: string | number) => String(text).padStart(2, "0");

function dateOfParts(day: string, month: string, year: string | undefined, today: string) {
  const number = months.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  const on = (of: number) => `${of}-${two(number)}-${two(day)}`;
  const own = Number(today.slice(0, 4));
  const date = year ? on(Number(year)) : on(own) < today ? on(own + 1) : on(own);
  // There is no 30 February.
  return isDate(date) ? date : undefined;
}

type Rule = [RegExp, (found: string[], today: string) => string | undefined];
const rule = (pattern: string, date: Rule[1]): Rule => [
  new RegExp(`(?:^|\\s)(?:(?:on|by|due)\\s+)?${pattern}(?=$|[\\s,.;!?])`, "i"),
  date,
];

const dateRules: Rule[] = [
  rule("(\\d{4}-\\d\\d-\\d\\d)", ([date = ""]) => (isDate(date) ? date : undefined)),
  rule("(?:today|tonight)", (_, today) => today),
  rule("(?:tomorrow|tmrw)", (_, today) => addDays(today, 1)),
  rule("next week", (_, today) => addDays(today, 7 - weekdayOf(today))),
  rule("in (\\d{1,3}) (day|week)s?", ([count = "", unit = ""], today) =>
    addDays(today, Number(count) * (unit.toLowerCase() === "week" ? 7 : 1)),
  ),
  rule(`(\\d{1,2})\\.? ${monthPattern}(?: (\\d{4}))?`, ([day = "", month = "", year], today) =>
    dateOfParts(day, month, year, today),
  ),
  rule(`${monthPattern} (\\d{1,2})(?:,? (\\d{4}))?`, ([month = "", day = "", year], today) =>
    dateOfParts(day, month, year, today),
  ),
  rule(`(?:next )?${weekdayPattern}`, ([name = ""], today) => {
    const wanted = weekdays.indexOf(name.slice(0, 3).toLowerCase());
    return addDays(today, ((wanted - weekdayOf(today) + 6) % 7) + 1);
  }),
];

const timeRules: [RegExp, (found: string[]) => string | undefined][] = [
  [
    /(?:^|\s)(?:at\s+)?(\d{1,2})(?::(\d\d))?\s?(am|pm)(?=$|[\s,.;!?])/i,
    ([hour = "", minute = "00", half = ""]) => {
      const count = (Number(hour) % 12) + (half.toLowerCase() === "pm" ? 12 : 0);
      return Number(hour) >= 1 && Number(hour) <= 12
        ? `${two(count)}:${minute || "00"}`
        : undefined;
    },
  ],
  [
    /(?:^|\s)(?:at\s+)?(\d{1,2}):(\d\d)(?=$|[\s,.;!?])/i,
    ([hour = "", minute = ""]) => `${two(hour)}:${minute}`,
  ],
  [/(?:^|\s)at\s+(\d{1,2})(?=$|[\s,.;!?])/i, ([hour = ""]) => `${two(hour)}:00`],
  [/(?:^|\s)(?:at\s+)?noon(?=$|[\s,.;!?])/i, () => "12:00"],
];

/** What a line says; `clock` is what clocks show, for a time without a day. */
export function parseEntry(line: string, today: string, clock: string): Entry {
  let rest = line;
  const cut = (found: RegExpExecArray) =>
    (rest = `${rest.slice(0, found.index)} ${rest.slice(found.index + found[0].length)}`);
  const tags: string[] = [];
  for (;;) {
    const found = /(?:^|\s)#([\p{L}\p{N}][\p{L}\p{N}_-]{0,49})(?=$|[\s,.;!?])/u.exec(rest);
    if (!found) break;
    if (!tags.includes(found[1]!)) tags.push(found[1]!);
    cut(found);
  }
  let date: string | undefined;
  for (const [pattern, dateOf] of dateRules) {
    const found = pattern.exec(rest);
    const said = found ? dateOf(found.slice(1), today) : undefined;
    if (!found || !said) continue;
    date = said;
    cut(found);
    break;
  }
  let time: string | undefined;
  for (const [pattern, timeOf] of timeRules) {
    const found = pattern.exec(rest);
    const said = found ? timeOf(found.slice(1)) : undefined;
    if (!found || !said || !isTime(said)) continue;
    time = said;
    cut(found);
    break;
  }
  if (time && !date) date = time > clock ? today : addDays(today, 1);
  const title = rest
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/[\s,;]+$/, "");
  // A line that says nothing but when is its own title.
  return title ? { title, tags, date, time } : { title: line.trim(), tags: [] };
}
