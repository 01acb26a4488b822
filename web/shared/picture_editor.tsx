// Pictures that people upload: choosing, showing and removing one.

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { Problem, remove, request, sentenceOf } from "./api";
import { Icon } from "./icons";
import { isUploaded } from "./picture";
import { done } from "./toast";

const bytesMax = 2 * 1024 * 1024;
const sideMax = 1600;
export const pictureTypes = "image/png,image/jpeg,image/webp";

// What is too large for the server is drawn again, smaller.
async function fitting(file: Blob): Promise<Blob> {
  if (file.size <= bytesMax) return file;
  const whole = await createImageBitmap(file).catch(() => undefined);
  if (!whole) throw new Error("this is no picture that can be read here");
  const scale = Math.min(1, sideMax / Math.max(whole.width, whole.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(whole.width * scale));
  canvas.height = Math.max(1, Math.round(whole.height * scale));
  canvas.getContext("2d")?.drawImage(whole, 0, 0, canvas.width, canvas.height);
  const small = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, "image/jpeg", 0.85),
  );
  if (!small || small.size > bytesMax) throw new Error("this picture is too large");
  return small;
}

/** Makes a file the picture of what is at `path`, and returns that as it is then. */
export async function putPicture(path: string, file: Blob, etag?: string): Promise<unknown> {
  const body = await fitting(file);
  return (await request("PUT", `${path}/picture`, { file: body, ifMatch: etag })).data;
}

// The server's words about the file, rather than about the request.
const wordsOf = (error: unknown) =>
  error instanceof Problem && error.errors[0]
    ? `The picture ${error.errors[0].message}`
    : sentenceOf(error);

interface PictureProps {
  /** Of whom or what: "Emma". */
  title: string;
  address?: string;
  path: string;
  etag?: string;
  /** With what it belongs to, as it is then; nothing: its version is the next one. */
  onChanged: (after?: unknown) => void;
  /** Where it is seen already. */
  isShown?: boolean;
}

export function PictureEditor(props: PictureProps) {
  const { title, address, path, etag, onChanged, isShown } = props;
  const id = useId();
  const isBusy = useSignal(false);
  const problem = useSignal("");
  const run = async (work: () => Promise<unknown>) => {
    isBusy.value = true;
    problem.value = "";
    try {
      onChanged(await work());
    } catch (error) {
      problem.value = wordsOf(error);
    } finally {
      isBusy.value = false;
    }
  };
  const choose = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    input.value = "";
    if (!file) return;
    void run(async () => {
      const after = await putPicture(path, file, etag);
      done(`${title} has a new picture`);
      return after;
    });
  };
  const takeAway = (shown: string) =>
    run(async () => {
      const before = await fetch(shown).then((it) => (it.ok ? it.blob() : undefined));
      await remove(`${path}/picture`, etag);
      const undo = before && (async () => onChanged(await putPicture(path, before)));
      done(`The picture of ${title} is removed`, undo);
      return undefined;
    });
  return (
    <div class="picture-editor">
      {isUploaded(address) && !isShown && (
        <img class="picture" src={address} alt={`Picture of ${title}`} />
      )}
      <div class="row">
        <label class="button" for={id} aria-busy={isBusy.value}>
          <Icon name="plus" /> {isUploaded(address) ? "Another picture" : "Add a picture"}
        </label>
        <input
          id={id}
          class="visually-hidden"
          type="file"
          accept={pictureTypes}
          disabled={isBusy.value}
          aria-describedby={`${id}-problem`}
          onChange={(event) => choose(event.currentTarget)}
        />
        {isUploaded(address) && (
          <button
            type="button"
            class="quiet"
            disabled={isBusy.value}
            onClick={() => void takeAway(address)}
          >
            Remove picture
          </button>
        )}
      </div>
      <p class="field-error" id={`${id}-problem`} role="alert">
        {problem.value}
      </p>
    </div>
  );
}
