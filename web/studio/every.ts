import { useEffect, useRef } from "preact/hooks";

const everyMs = 5000;

/** Reads again every few seconds, for as long as somebody looks. */
export function useEvery(read: () => void) {
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") latest.current();
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
}
