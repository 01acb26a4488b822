const dayMs = 86_400_000;

/** Days or months that are worth writing below a plot from one time to another. */
export function timeMarks(from: number, to: number): { x: number; text: string }[] {
  const days = (to - from) / dayMs;
  const step = [1, 2, 7, 14].find((it) => days / it <= 9);
  const marks: { x: number; text: string }[] = [];
  const at = new Date(from);
  at.setUTCHours(0, 0, 0, 0);
  if (step === undefined) at.setUTCDate(1);
  for (; at.getTime() <= to;) {
    const isYear = step === undefined && at.getUTCMonth() === 0;
    const text = at.toLocaleDateString("en-GB", {
      timeZone: "UTC",
      ...(step === undefined
        ? isYear
          ? { year: "numeric" }
          : { month: "short" }
        : { day: "numeric", month: "short" }),
    });
    if (at.getTime() >= from) marks.push({ x: at.getTime(), text });
    if (step === undefined) at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setUTCDate(at.getUTCDate() + step);
  }
  return marks;
}
