// Strokes in a 24 x 24 box.
const strokes = {
  table: "M4 5h16v14H4zM4 10h16M10 10v9",
  items: "M4 6h3M4 12h3M4 18h3M10 6h10M10 12h10M10 18h10",
  view: "M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z",
  access: "M4 12h11M11 8l4 4-4 4M15 4h5v16h-5",
  design: "M5 20l1-5L16.5 4.5a2 2 0 0 1 3 3L9 18zM14 7l3 3",
  stream: "M3 8c3-4 6 4 9 0s6 4 9 0M3 16c3-4 6 4 9 0s6 4 9 0",
  chart: "M4 4v16h16M8 16v-4M12 16V8M16 16v-6",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20",
  sun:
    "M12 8a4 4 0 1 1 0 8 4 4 0 1 1 0-8zM12 2v3m0 14v3M2 12h3m14 0h3" +
    "M5 5l2 2m10 10 2 2M5 19l2-2M17 7l2-2",
  moon: "M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z",
  close: "M6 6l12 12M18 6 6 18",
  apps: "M5 5h4v4H5zM15 5h4v4h-4zM5 15h4v4H5zM15 15h4v4h-4z",
  user: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c1-5 4-7 8-7s7 2 8 7",
  plus: "M12 5v14M5 12h14",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
  shelf: "M4 4v16M4 20h16M8 20V7h3v13M13 20V5h3v15M18 20l-1-9",
  film: "M4 5h16v14H4zM8 5v14M16 5v14M4 9h4M4 15h4M16 9h4M16 15h4",
  branch: "M7 4v16M7 14c0-5 10-3 10-8M5 4h4M15 4h4M5 20h4",
  note: "M6 4h9l4 4v12H6zM14 4v5h5M9 13h7M9 16h5",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  refresh: "M20 6v5h-5M4 18v-5h5M19 11a7 7 0 0 0-12-4L4 11M5 13a7 7 0 0 0 12 4l3-4",
  next: "M9 5l7 7-7 7",
  back: "M15 5l-7 7 7 7",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 10h.01M7 14h10",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  bookmark: "M7 4h10v16l-5-4-5 4z",
  check: "M5 13l4.5 4.5L19 7",
  compass: "M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM15.5 8.5l-2 5-5 2 2-5z",
  grip: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z",
  star: "M12 3.2l2.7 5.6 6.1.8-4.5 4.2 1.2 6-5.5-3-5.5 3 1.2-6L3.2 9.6l6.1-.8z",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 19a2 2 0 0 0 4 0",
  up: "M12 19V6M6 11l6-6 6 6",
  down: "M12 5v13M6 13l6 6 6-6",
  comment: "M4 5h16v11H11l-5 4v-4H4z",
  flag: "M6 21V4h11l-2 4 2 4H6",
  letters: "M3 18l5-13 5 13M5 14h6M14 18l3.5-9 3.5 9M15.2 15.5h4.6",
  clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2",
  calendar: "M4 6h16v14H4zM4 10h16M8 3.5V8M16 3.5V8",
  tasks: "M4 6.5l1.5 1.5L8 5M4 15.5l1.5 1.5L8 14M11 7h9M11 16h9",
  timeline: "M5 3v18M5 7h9M5 12h14M5 17h6M3.5 7h3M3.5 12h3M3.5 17h3",
} as const;

export type IconName = keyof typeof strokes;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={strokes[name]} />
    </svg>
  );
}

export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M3 10h26M9 10 5 26M23 10l4 16M12.5 10 17 26M19.5 10 15 26M7 19h18" />
    </svg>
  );
}
