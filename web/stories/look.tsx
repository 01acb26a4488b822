// How a text looks to whoever reads it: kept in this browser.

import { signal } from "@preact/signals";
import { useShortcut } from "../shared/keys";
import { Menu } from "../shared/shell";
import { remember, remembered } from "../shared/theme";

interface Look {
  size: number;
  face: "serif" | "sans" | "mono";
  width: "narrow" | "medium" | "wide";
  lines: "tight" | "normal" | "loose";
}

const usual: Look = { size: 2, face: "serif", width: "medium", lines: "normal" };
const largest = 6;

function kept(): Look {
  try {
    const found = JSON.parse(remembered("stories.look") ?? "{}") as Partial<Look>;
    const look = { ...usual, ...found };
    return {
      size: Math.min(largest, Math.max(0, Math.trunc(Number(look.size)) || 0)),
      face: look.face === "sans" || look.face === "mono" ? look.face : "serif",
      width: look.width === "narrow" || look.width === "wide" ? look.width : "medium",
      lines: look.lines === "tight" || look.lines === "loose" ? look.lines : "normal",
    };
  } catch {
    return usual;
  }
}

const look = signal(kept());

function change(part: Partial<Look>): void {
  const next = { ...look.value, ...part };
  look.value = { ...next, size: Math.min(largest, Math.max(0, next.size)) };
  remember("stories.look", JSON.stringify(look.value));
}

export function lookClass(): string {
  const { size, face, width, lines } = look.value;
  return `prose size-${size} face-${face} width-${width} lines-${lines}`;
}

const choices = {
  face: { label: "Letters", of: { serif: "Serif", sans: "Sans", mono: "Mono" } },
  width: { label: "Width", of: { narrow: "Narrow", medium: "Medium", wide: "Wide" } },
  lines: { label: "Lines", of: { tight: "Tight", normal: "Normal", loose: "Loose" } },
};

export function LookControls() {
  const bigger = () => change({ size: look.value.size + 1 });
  const smaller = () => change({ size: look.value.size - 1 });
  useShortcut("+", "Larger letters", bigger);
  useShortcut("-", "Smaller letters", smaller);
  return (
    <span class="look">
      <Menu label="How the text looks" icon="letters">
        <div class="look-row">
          <span>Size</span>
          <span class="switch" role="group" aria-label="Size">
            <button type="button" onClick={smaller}>
              Smaller
            </button>
            <button type="button" onClick={bigger}>
              Larger
            </button>
          </span>
        </div>
        {(Object.keys(choices) as (keyof typeof choices)[]).map((name) => (
          <div class="look-row" key={name}>
            <span>{choices[name].label}</span>
            <span class="switch" role="group" aria-label={choices[name].label}>
              {Object.entries(choices[name].of).map(([value, label]) => (
                <button
                  key={value}
                  type="button"
                  aria-pressed={look.value[name] === value}
                  onClick={() => change({ [name]: value })}
                >
                  {label}
                </button>
              ))}
            </span>
          </div>
        ))}
        <button type="button" class="quiet small" onClick={() => change(usual)}>
          As it was
        </button>
      </Menu>
    </span>
  );
}
