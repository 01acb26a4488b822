// The room that plots have, and what is written below them.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** About what a letter takes. */
export const letterWidth = 7;

/** How wide what has this `place` is, and stays so. */
export function useWidth<T extends Element>() {
  const place = useRef<T>(null);
  const width = useSignal(640);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth > 0) width.value = element.clientWidth;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { place, width };
}

export type Mark = { x: number; text: string };

/** As many as have room beside each other, `across` from left to right: all, every second, ... */
export function marksWithRoom(marks: Mark[], across: (x: number) => number, width: number): Mark[] {
  const half = (mark: Mark) => (mark.text.length * letterWidth) / 2;
  const within = marks.filter(({ x }) => across(x) >= 0 && across(x) <= width);
  for (let step = 1; ; step += 1) {
    const chosen = within
      .filter((_, i) => i % step === 0)
      .filter((mark) => across(mark.x) + half(mark) <= width);
    const hasRoom = chosen.every((mark, i) => {
      const last = chosen[i - 1];
      return !last || across(last.x) + half(last) + 8 <= across(mark.x) - half(mark);
    });
    if (hasRoom) return chosen;
  }
}
