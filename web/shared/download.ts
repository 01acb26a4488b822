const types: Record<string, string> = { csv: "text/csv", json: "application/json" };

/** Hands a text over to the browser's downloads, as what the name's ending says. */
export function download(text: string, name: string): void {
  const type = types[name.split(".").pop() ?? ""] ?? "text/plain";
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
