// Posters without pictures: few shapes, chosen by genre and by the title's own number, so that a
// title looks the same everywhere and unlike its neighbours.

import type { JSX } from "preact";
import { isUploaded } from "../shared/picture";
import { hueOf } from "../shared/pieces";

/** The same number for the same text. */
function numberOf(text: string): number {
  let sum = 7;
  for (const letter of text) sum = (sum * 33 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return sum;
}

// Of 100 x 100; `n` varies them.
const drawings: ((n: number) => JSX.Element)[] = [
  // An orbit.
  (n) => (
    <>
      <circle class="art-a" cx={50} cy={52} r={21 + (n % 7)} />
      <ellipse
        class="art-line"
        cx={50}
        cy={52}
        rx={44}
        ry={10 + (n % 9)}
        transform={`rotate(${(n % 60) - 30} 50 52)`}
      />
      <circle class="art-b" cx={14 + (n % 70)} cy={14 + (n % 11)} r={4} />
    </>
  ),
  // Arcs, one in the other.
  (n) => (
    <>
      {[46, 35, 24, 13].map((r, i) => (
        <path
          key={r}
          class={["art-b", "art-c", "art-a", "art-ground"][i]}
          d={`M${50 - r} 96a${r} ${r} 0 0 1 ${2 * r} 0z`}
          transform={`translate(${(n % 13) - 6} 0)`}
        />
      ))}
    </>
  ),
  // Bars of light.
  (n) => (
    <>
      {[0, 1, 2, 3, 4, 5, 6].map((i) => (
        <rect
          key={i}
          class={i === n % 7 ? "art-a" : i % 2 ? "art-b" : "art-c"}
          x={6 + i * 13}
          y={12 + ((n >> i) % 5) * 9}
          width={8}
          height={88}
        />
      ))}
    </>
  ),
  // A sun and hills.
  (n) => (
    <>
      <circle class="art-a" cx={28 + (n % 44)} cy={38} r={19} />
      <ellipse class="art-b" cx={16 + (n % 12)} cy={102} rx={58} ry={38} />
      <ellipse class="art-c" cx={88} cy={106} rx={50} ry={32 + (n % 9)} />
    </>
  ),
  // Dots, and one of another kind.
  (n) => (
    <>
      {Array.from({ length: 16 }, (_, i) => (
        <circle
          key={i}
          class={i === n % 16 ? "art-a" : "art-c"}
          cx={17 + (i % 4) * 22}
          cy={17 + Math.floor(i / 4) * 22}
          r={i === n % 16 ? 10 : 6.5}
        />
      ))}
    </>
  ),
  // Peaks.
  (n) => (
    <>
      <circle class="art-b" cx={74 - (n % 50)} cy={24} r={10} />
      <path class="art-c" d={`M-4 100L${28 + (n % 14)} 34L66 100z`} />
      <path class="art-a" d={`M34 100L${68 + (n % 10)} 52L106 100z`} />
    </>
  ),
  // An eye.
  (n) => (
    <>
      <path class="art-b" d="M4 52Q50 6 96 52Q50 98 4 52z" />
      <circle class="art-ground" cx={50} cy={52} r={19} />
      <circle class="art-a" cx={44 + (n % 13)} cy={47 + (n % 9)} r={9} />
    </>
  ),
  // Two that meet.
  (n) => (
    <>
      <circle class="art-b" cx={36} cy={50 + (n % 9)} r={27} />
      <circle class="art-a art-blend" cx={64} cy={52 - (n % 9)} r={27} />
    </>
  ),
  // Stairs.
  (n) => (
    <>
      {[0, 1, 2, 3, 4].map((i) => (
        <rect
          key={i}
          class={i % 2 ? "art-b" : "art-c"}
          x={n % 2 ? i * 20 : 80 - i * 20}
          y={84 - i * 17}
          width={20}
          height={120}
        />
      ))}
      <circle class="art-a" cx={n % 2 ? 22 : 78} cy={28} r={11} />
    </>
  ),
];

const byGenre: Record<string, number[]> = {
  "science fiction": [0, 5, 1],
  documentary: [1, 0],
  drama: [7, 8, 1],
  crime: [2, 6],
  thriller: [6, 2],
  mystery: [6, 8],
  horror: [5, 6],
  adventure: [5, 3],
  action: [8, 2],
  animation: [3, 4],
  family: [3, 4],
  fantasy: [3, 0],
  comedy: [4, 7],
  romance: [7, 3],
  biography: [8, 1],
};

/** Which drawing: one that a genre of it suggests, or any. */
function drawingOf(n: number, genres: string[]): number {
  const fit = genres.flatMap((genre) => byGenre[genre.toLowerCase()] ?? []);
  return fit[n % Math.max(1, fit.length)] ?? n % drawings.length;
}

interface ArtProps {
  seed: string;
  genres?: string[];
  /** Its picture, where somebody has uploaded one. */
  src?: string;
  alt?: string;
}

export function Art({ seed, genres = [], src, alt = "" }: ArtProps) {
  const n = numberOf(seed);
  if (isUploaded(src)) return <img class="art art-photo" src={src} alt={alt} loading="lazy" />;
  return (
    <svg
      class="art"
      viewBox="0 0 100 100"
      preserveAspectRatio="xMidYMax slice"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[drawingOf(n, genres)]?.(n)}
    </svg>
  );
}

/** A poster's picture alone. */
export function Thumb({ title, genres }: { title: string; genres?: string[] }) {
  return (
    <span class={`thumb ${hueOf(title)}`} aria-hidden="true">
      <Art seed={title} genres={genres} />
    </span>
  );
}

const framesMax = 5;

/** A strip of film: one frame for each title of a list, as far as there is room. */
export function Strip({
  seed,
  count,
  titles = [],
  src,
}: {
  seed: string;
  count: number;
  src?: string;
  /** What the frames show, where that is known. */
  titles?: { title: string; genres: string[] }[];
}) {
  const n = numberOf(seed);
  if (isUploaded(src)) return <img class="strip strip-photo" src={src} alt="" loading="lazy" />;
  return (
    <span class="strip" aria-hidden="true">
      {Array.from({ length: framesMax }, (_, i) => {
        if (i >= count) return <span key={i} class="frame-of is-empty" />;
        const { title, genres = undefined } = titles[i] ?? { title: `${i * 7} ${seed}` };
        const hue = titles[i] ? hueOf(title) : `hue hue-${(n + i * 5) % 12}`;
        return (
          <span key={i} class={`frame-of ${hue}`}>
            <Art seed={title} genres={genres} />
          </span>
        );
      })}
    </span>
  );
}
