// Pictures that people have uploaded, as pages know them.

import { lazyView } from "./lazy_view";

/** Others are at other servers, and are not shown. */
export const isUploaded = (address?: string): address is string =>
  address?.startsWith("/files/") ?? false;

/** Chooses, shows and removes one. */
export const PictureEditor = lazyView(async () => (await import("./picture_editor")).PictureEditor);
