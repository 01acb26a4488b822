import { useEffect, useRef } from "preact/hooks";
import { attempt } from "./toast";

/** The end of a list of which there is more: reads on as it comes into sight. */
export function ReadOn({ cursor, read }: { cursor?: string; read: () => Promise<void> }) {
  const end = useRef<HTMLDivElement>(null);
  const isReading = useRef(false);
  const go = async () => {
    if (isReading.current) return;
    isReading.current = true;
    await attempt(read);
    isReading.current = false;
  };
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (seen) => void (seen.some((it) => it.isIntersecting) && go()),
      { rootMargin: "500px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [cursor]);
  if (!cursor) return null;
  return (
    <div ref={end}>
      <button type="button" onClick={() => void go()}>
        Show more
      </button>
    </div>
  );
}
