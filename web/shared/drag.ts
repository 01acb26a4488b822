// Dragging with a mouse, a pen or a finger.

export interface Drag {
  onStart?: () => void;
  onMove: (x: number, y: number) => void;
  /** Put down where it was last, or left where it was. */
  onEnd: (isDropped: boolean) => void;
  /** Scrolls at its edges besides the page. */
  scroller?: () => Element | null;
}

const holdMs = 300;
const slackPixels = 6;
const topEdge = 120;
const edge = 90;
const innerEdge = 40;
const edgeStep = 12;

let isUnderWay = false;

/** Scrolls what a pointer is at the edge of, in the direction in which it has gone. */
function scrollNear(y: number, from: number, scroller: Element | null | undefined): boolean {
  const isUp = y < from - slackPixels;
  const isDown = y > from + slackPixels;
  const box = scroller?.getBoundingClientRect();
  if (scroller && box && y > box.top && y < box.bottom) {
    const before = scroller.scrollTop;
    if (isUp && y < box.top + innerEdge) scroller.scrollTop -= edgeStep;
    if (isDown && y > box.bottom - innerEdge) scroller.scrollTop += edgeStep;
    if (scroller.scrollTop !== before) return true;
  }
  const before = scrollY;
  if (isUp && y < topEdge) scrollBy(0, -edgeStep);
  if (isDown && y > innerHeight - edge) scrollBy(0, edgeStep);
  return scrollY !== before;
}

// What was dragged is not also clicked.
function stopClick(): void {
  const stop = (click: MouseEvent) => {
    click.preventDefault();
    click.stopPropagation();
  };
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, { capture: true }));
}

/**
 * Follows a pointer from where it went down. A mouse drags once it moves; a finger once it was held
 * for a moment, because before that it scrolls. With a handle both drag at once.
 */
function follow(event: PointerEvent, drag: Drag, isHandle: boolean): void {
  if (event.button !== 0 || !event.isPrimary || isUnderWay) return;
  const { pointerId, pointerType } = event;
  const from = { x: event.clientX, y: event.clientY };
  let at = from;
  let hasStarted = false;
  let hasMoved = false;
  const start = () => {
    hasStarted = true;
    isUnderWay = true;
    // A finger that has held something has not tapped it.
    hasMoved ||= isHeldFirst;
    drag.onStart?.();
    drag.onMove(at.x, at.y);
    const scroll = () => {
      if (!hasStarted) return;
      if (scrollNear(at.y, from.y, drag.scroller?.())) drag.onMove(at.x, at.y);
      requestAnimationFrame(scroll);
    };
    requestAnimationFrame(scroll);
  };
  const isHeldFirst = pointerType === "touch" && !isHandle;
  const timer = isHeldFirst ? window.setTimeout(start, holdMs) : 0;
  const listening = new AbortController();
  const end = (isDropped: boolean) => {
    clearTimeout(timer);
    listening.abort();
    if (!hasStarted) return;
    hasStarted = false;
    isUnderWay = false;
    if (hasMoved) stopClick();
    drag.onEnd(isDropped);
  };
  const on = <Name extends keyof WindowEventMap>(
    name: Name,
    listener: (event: WindowEventMap[Name]) => void,
  ) => addEventListener(name, listener, { signal: listening.signal, capture: true });
  on("pointermove", (move) => {
    if (move.pointerId !== pointerId) return;
    at = { x: move.clientX, y: move.clientY };
    const isFar = Math.hypot(at.x - from.x, at.y - from.y) > slackPixels;
    hasMoved ||= isFar;
    if (hasStarted) drag.onMove(at.x, at.y);
    else if (isFar && isHeldFirst) end(false);
    else if (isFar) start();
  });
  on("pointerup", (up) => up.pointerId === pointerId && end(true));
  on("pointercancel", (cancel) => cancel.pointerId === pointerId && end(false));
  on("keydown", (key) => {
    if (key.key !== "Escape" || !hasStarted) return;
    key.preventDefault();
    key.stopPropagation();
    end(false);
  });
  if (isHandle) {
    (event.currentTarget as HTMLElement).focus();
    event.preventDefault();
    start();
  }
}

const stay = (event: Event) => {
  if (isUnderWay) event.preventDefault();
};

/** For what can be dragged, or for the handle that it is dragged by. */
export const dragProps = (drag: Drag, isHandle = false) => ({
  draggable: false,
  onPointerDown: (event: PointerEvent) => follow(event, drag, isHandle),
  // Else the page would scroll, or a menu open, below a finger that drags.
  onTouchMove: stay,
  onContextMenu: stay,
});
