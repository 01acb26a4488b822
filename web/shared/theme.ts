import { signal } from "@preact/signals";

export type Theme = "light" | "dark";

export const theme = signal<Theme>(
  document.documentElement.dataset.theme === "dark" ? "dark" : "light",
);

const system = matchMedia("(prefers-color-scheme: dark)");
system.addEventListener("change", () => {
  if (remembered("theme") === null) show(system.matches ? "dark" : "light");
});

function show(chosen: Theme): void {
  theme.value = chosen;
  document.documentElement.dataset.theme = chosen;
}

// Paper is light.
addEventListener("beforeprint", () => (document.documentElement.dataset.theme = "light"));
addEventListener("afterprint", () => (document.documentElement.dataset.theme = theme.value));

export function toggleTheme(): void {
  show(theme.value === "dark" ? "light" : "dark");
  remember("theme", theme.value);
}

/** Keeps a small choice of this browser's user. */
export function remember(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`trestle.${name}`);
    else localStorage.setItem(`trestle.${name}`, value);
  } catch {
    // Storage can be switched off; the choice lasts as long as the page.
  }
}

export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`trestle.${name}`);
  } catch {
    return null;
  }
}
