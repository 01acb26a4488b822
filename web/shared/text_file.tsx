// A file that is read as text, such as a table to import.

interface TextFileProps {
  /** As `accept` of an input has it. */
  accept: string;
  onText: (text: string) => void;
}

export function TextFile({ accept, onText }: TextFileProps) {
  return (
    <label class="field">
      <span class="label">A file</span>
      <input
        type="file"
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file) void file.text().then(onText);
        }}
      />
    </label>
  );
}
