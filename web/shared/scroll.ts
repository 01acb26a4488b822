// Whoever goes back finds a page where they left it. Browsers give up when what they scroll to is
// not there yet, and here everything is read first.

const quietMs = 150;
const settledMs = 400;
const patienceMs = 5000;
const ownWill = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

let end: (() => void) | undefined;
let timer = 0;

/** Writes down where the page is, for who comes back to this entry of the history. */
export function keepScroll(): void {
  clearTimeout(timer);
  if (!end) history.replaceState({ y: scrollY }, "");
}

addEventListener("scroll", () => {
  clearTimeout(timer);
  timer = window.setTimeout(keepScroll, quietMs);
});

/** Scrolls to where this entry of the history was left, as soon as that is there. */
export function restoreScroll(): void {
  end?.();
  clearTimeout(timer);
  const y = (history.state as { y?: number } | null)?.y ?? 0;
  const over = new AbortController();
  const patience = setTimeout(() => end?.(), patienceMs);
  let settled = 0;
  const go = () => {
    clearTimeout(settled);
    scrollTo(0, y);
    if (Math.abs(scrollY - y) < 2) settled = window.setTimeout(() => end?.(), settledMs);
  };
  const observer = new ResizeObserver(go);
  end = () => {
    over.abort();
    observer.disconnect();
    clearTimeout(patience);
    clearTimeout(settled);
    end = undefined;
  };
  for (const type of ownWill) addEventListener(type, end, { signal: over.signal });
  observer.observe(document.body);
}

history.scrollRestoration = "manual";
