// Runs before the first paint, so that a page never flashes in the other colour scheme.
const systemTheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
let chosenTheme: string | null = null;
try {
  chosenTheme = localStorage.getItem("trestle.theme");
} catch {
  // Storage can be switched off; then the system's scheme is used.
}
document.documentElement.dataset.theme =
  chosenTheme === "light" || chosenTheme === "dark" ? chosenTheme : systemTheme;

export {};
