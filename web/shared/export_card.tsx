import type { ComponentChildren } from "preact";
import { download } from "./download";
import { attempt, done } from "./toast";

export type ExportFormat = "csv" | "json";

interface ExportCardProps {
  /** Of the file, without its ending. */
  name: string;
  /** "All your books": what is in it. */
  what: string;
  read: (format: ExportFormat) => Promise<string>;
  formats?: ExportFormat[];
  children?: ComponentChildren;
}

/** Takes all that somebody has in an application along. */
export function ExportCard(props: ExportCardProps) {
  const { name, what, read, formats = ["csv", "json"], children } = props;
  const take = (format: ExportFormat) =>
    attempt(async () => {
      download(await read(format), `${name}.${format}`);
      done(`${name}.${format} is on its way to your downloads`);
    });
  return (
    <section class="card stack" aria-labelledby="export">
      <h2 id="export">Take everything along</h2>
      <p>{what}, as a file. It is yours.</p>
      <p class="row">
        {formats.map((format) => (
          <button key={format} type="button" onClick={() => void take(format)}>
            Export as {format.toUpperCase()}
          </button>
        ))}
      </p>
      {children}
    </section>
  );
}
