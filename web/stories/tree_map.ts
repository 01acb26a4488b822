// The picture of a tree, on a canvas: thousands of chapters are moved and zoomed as one picture,
// and only what is in sight is drawn.

import { columnGap, type Placed, rowGap } from "./tree_layout";
import type { Tone } from "./pieces";

export interface Scene {
  placed: Placed[];
  closed: ReadonlySet<string>;
  selected?: string;
  way: ReadonlySet<string>;
  found: ReadonlySet<string>;
  /** Whether what is unread is marked: nothing is read by a guest. */
  marksUnread: boolean;
}

export interface Handlers {
  onSelect: (id: string) => void;
  onOpen: (id: string) => void;
  onUnfold: (id: string) => void;
  onHover: (hover: { id: string; x: number; y: number } | null) => void;
}

const tones: Tone[] = ["plain", "author", "approved", "vision", "removed"];
const scaleMax = 2.5;
const labelScale = 0.5;
const curveScale = 0.2;
const moveMs = 260;
const reach = 7;
const lettersMax = 32;
// Of a letter's height, on average.
const letterWidth = 0.54;

const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const clipped = (title: string, most: number) =>
  title.length > most ? `${title.slice(0, most - 1)}…` : title;

export class TreeMap {
  #canvas: HTMLCanvasElement;
  #pen: CanvasRenderingContext2D;
  #handlers: Handlers;
  #scene: Scene | undefined;
  #byId = new Map<string, Placed>();
  #box = { left: 0, right: 0, top: 0, bottom: 0 };
  #colours: Record<string, string> = {};
  #width = 0;
  #height = 0;
  #scale = 1;
  #across = 1;
  #x = 0;
  #y = 0;
  #frame = 0;
  #moving = 0;
  #pointers = new Map<number, { x: number; y: number }>();
  #pressed: { x: number; y: number; isMoved: boolean } | undefined;
  #observer: ResizeObserver;
  #isPlaced = false;
  #face = "sans-serif";
  #widths = new Map<string, number>();

  constructor(canvas: HTMLCanvasElement, handlers: Handlers) {
    this.#canvas = canvas;
    this.#pen = canvas.getContext("2d", { alpha: false })!;
    this.#handlers = handlers;
    this.#observer = new ResizeObserver(() => this.#resize());
    this.#observer.observe(canvas);
    canvas.addEventListener("pointerdown", this.#onDown);
    canvas.addEventListener("pointermove", this.#onMove);
    canvas.addEventListener("pointerup", this.#onUp);
    canvas.addEventListener("pointercancel", this.#onUp);
    canvas.addEventListener("pointerleave", this.#onLeave);
    canvas.addEventListener("dblclick", this.#onDouble);
    canvas.addEventListener("wheel", this.#onWheel, { passive: false });
  }

  end(): void {
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#moving);
  }

  /** Colours come from the page's style, and change with it. */
  readColours(): void {
    const style = getComputedStyle(this.#canvas);
    for (const name of [...tones, "ground", "ink", "soft", "link", "way", "found"])
      this.#colours[name] = style.getPropertyValue(`--tree-${name}`).trim() || "#888";
    this.#face = style.fontFamily;
    this.#widths.clear();
    this.#draw();
  }

  show(scene: Scene): void {
    if (scene.placed !== this.#scene?.placed) {
      this.#byId = new Map(scene.placed.map((it) => [it.twig.node.id, it]));
      this.#box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
      for (const { x, y } of scene.placed) {
        this.#box.left = Math.min(this.#box.left, x);
        this.#box.right = Math.max(this.#box.right, x);
        this.#box.top = Math.min(this.#box.top, y);
        this.#box.bottom = Math.max(this.#box.bottom, y);
      }
    }
    this.#scene = scene;
    this.#place();
    this.#draw();
  }

  /** All of it, as large as it fits. */
  fit(): void {
    const { scale, x, y } = this.#whole();
    this.#moveTo(scale, x, y);
  }

  zoom(by: number): void {
    this.#zoomAt(by, this.#width / 2, this.#height / 2);
  }

  /** Into the middle, unless it can be read where it is. */
  bringIntoSight(id: string): void {
    const it = this.#byId.get(id);
    if (!it) return;
    const x = (this.#x + it.x * this.#across) / this.#width;
    const y = (this.#y + it.y * this.#scale) / this.#height;
    const isInside = x > 0.04 && x < 0.75 && y > 0.1 && y < 0.9;
    if (isInside && this.#scale >= labelScale) return;
    const scale = Math.max(this.#scale, 0.8);
    const across = this.#acrossAt(scale);
    this.#moveTo(scale, this.#width * 0.4 - it.x * across, this.#height / 2 - it.y * scale);
  }

  // Trees are taller than they are deep: from afar they are stretched to fill the picture.
  #acrossAt(scale: number): number {
    const { width, scale: whole } = this.#fitting();
    const fill = this.#width / (width * whole);
    if (scale >= labelScale || whole >= labelScale || fill <= 1) return scale;
    const part = Math.log(fill) / Math.log(labelScale / whole);
    return scale * (labelScale / Math.max(scale, whole)) ** part;
  }

  #fitting() {
    const { left, right, top, bottom } = this.#box;
    const width = right - left + columnGap + rowGap;
    const height = bottom - top + rowGap * 2;
    const scale = Math.min(1.1, this.#width / width, this.#height / height);
    return { scale, width, height };
  }

  // All of it, in the middle.
  #whole() {
    const { scale, width, height } = this.#fitting();
    const across = this.#acrossAt(scale);
    return {
      scale,
      x: (this.#width - width * across) / 2 + rowGap * across - this.#box.left * across,
      y: (this.#height - height * scale) / 2 + (rowGap - this.#box.top) * scale,
    };
  }

  // First as a whole, unless something is chosen that could not be read then.
  #place(): void {
    if (this.#isPlaced || !this.#scene || this.#width === 0) return;
    this.#isPlaced = true;
    const whole = this.#whole();
    const at = this.#byId.get(this.#scene.selected ?? "");
    if (whole.scale >= labelScale || !at) {
      this.#setScale(whole.scale);
      this.#x = whole.x;
      this.#y = whole.y;
      return;
    }
    this.#setScale(0.85);
    this.#x = this.#width * 0.4 - at.x * this.#across;
    this.#y = this.#height / 2 - at.y * this.#scale;
  }

  #setScale(scale: number): void {
    this.#scale = scale;
    this.#across = this.#acrossAt(scale);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.#canvas;
    const ratio = devicePixelRatio || 1;
    this.#width = clientWidth;
    this.#height = clientHeight;
    this.#canvas.width = Math.round(clientWidth * ratio);
    this.#canvas.height = Math.round(clientHeight * ratio);
    this.#place();
    this.#paint();
  }

  #moveTo(scale: number, x: number, y: number): void {
    cancelAnimationFrame(this.#moving);
    const from = { scale: this.#scale, x: this.#x, y: this.#y };
    const begin = performance.now();
    const step = (now: number) => {
      const part = isCalm() ? 1 : Math.min(1, (now - begin) / moveMs);
      const eased = 1 - (1 - part) ** 3;
      this.#setScale(from.scale + (scale - from.scale) * eased);
      this.#x = from.x + (x - from.x) * eased;
      this.#y = from.y + (y - from.y) * eased;
      this.#draw();
      if (part < 1) this.#moving = requestAnimationFrame(step);
    };
    step(begin);
  }

  #zoomAt(by: number, x: number, y: number): void {
    cancelAnimationFrame(this.#moving);
    const least = Math.min(this.#fitting().scale, 1) * 0.8;
    const scale = Math.min(scaleMax, Math.max(least, this.#scale * by));
    const before = { across: this.#across, scale: this.#scale };
    this.#setScale(scale);
    this.#x = x - (x - this.#x) * (this.#across / before.across);
    this.#y = y - (y - this.#y) * (scale / before.scale);
    this.#draw();
  }

  // What the pointer is on: a chapter's place, or its title beside it.
  #at(x: number, y: number): Placed | undefined {
    let best: Placed | undefined;
    let nearest = Infinity;
    const isLabelled = this.#scale >= labelScale;
    for (const it of this.#scene?.placed ?? []) {
      const dx = x - (this.#x + it.x * this.#across);
      const dy = y - (this.#y + it.y * this.#scale);
      const radius = it.radius * this.#scale + reach;
      const distance = Math.hypot(dx, dy);
      const isOnLabel =
        isLabelled && dx > 0 && dx < columnGap * 0.8 * this.#across && Math.abs(dy) < 10;
      if ((distance < radius || isOnLabel) && distance < nearest) {
        best = it;
        nearest = distance;
      }
    }
    return best;
  }

  #onDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    cancelAnimationFrame(this.#moving);
    this.#canvas.setPointerCapture(event.pointerId);
    this.#pointers.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    this.#pressed = { x: event.offsetX, y: event.offsetY, isMoved: this.#pointers.size > 1 };
    this.#handlers.onHover(null);
  };

  #onMove = (event: PointerEvent) => {
    const before = this.#pointers.get(event.pointerId);
    const { offsetX: x, offsetY: y } = event;
    if (!before || !this.#pressed) {
      const it = this.#at(x, y);
      this.#canvas.classList.toggle("is-on", it !== undefined);
      this.#handlers.onHover(it ? { id: it.twig.node.id, x, y } : null);
      return;
    }
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, { x, y });
    if (other) {
      const apart = (at: { x: number; y: number }) => Math.hypot(at.x - other.x, at.y - other.y);
      this.#zoomAt(
        apart({ x, y }) / Math.max(1, apart(before)),
        (x + other.x) / 2,
        (y + other.y) / 2,
      );
      return;
    }
    if (Math.hypot(x - this.#pressed.x, y - this.#pressed.y) > 4) this.#pressed.isMoved = true;
    this.#x += x - before.x;
    this.#y += y - before.y;
    this.#draw();
  };

  #onUp = (event: PointerEvent) => {
    const isClick = this.#pressed && !this.#pressed.isMoved && event.type === "pointerup";
    this.#pointers.delete(event.pointerId);
    if (this.#pointers.size === 0) this.#pressed = undefined;
    if (!isClick) return;
    const it = this.#at(event.offsetX, event.offsetY);
    if (!it) return;
    const { id } = it.twig.node;
    if (this.#scene?.closed.has(id) && this.#scene.selected === id) this.#handlers.onUnfold(id);
    this.#handlers.onSelect(id);
  };

  #onLeave = () => this.#handlers.onHover(null);

  #onDouble = (event: MouseEvent) => {
    const it = this.#at(event.offsetX, event.offsetY);
    if (it) this.#handlers.onOpen(it.twig.node.id);
  };

  #onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
    this.#zoomAt(
      Math.exp(-Math.max(-240, Math.min(240, pixels)) * 0.0022),
      event.offsetX,
      event.offsetY,
    );
  };

  #draw(): void {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#paint();
    });
  }

  #paint(): void {
    const scene = this.#scene;
    if (!scene || this.#width === 0 || !this.#colours.ground) return;
    const pen = this.#pen;
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.fillStyle = this.#colours.ground;
    pen.fillRect(0, 0, this.#width, this.#height);
    const margin = columnGap * this.#across + 20;
    const inSight: Placed[] = [];
    for (const it of scene.placed) {
      const x = this.#x + it.x * this.#across;
      const y = this.#y + it.y * this.#scale;
      if (x > -margin && x < this.#width + 20 && y > -20 && y < this.#height + 20) inSight.push(it);
    }
    this.#paintLinks(scene);
    this.#paintNodes(scene, inSight);
    if (this.#scale >= labelScale) this.#paintLabels(scene, inSight);
    this.#canvas.dataset.drawn = String(inSight.length);
  }

  #paintLinks(scene: Scene): void {
    const pen = this.#pen;
    for (const isWay of [false, true]) {
      pen.beginPath();
      for (const it of scene.placed) {
        if (!it.parent) continue;
        const isOn = scene.way.has(it.twig.node.id);
        if (isOn !== isWay) continue;
        const x = this.#x + it.x * this.#across;
        const fromX = this.#x + it.parent.x * this.#across;
        if (x < 0 || fromX > this.#width) continue;
        const y = this.#y + it.y * this.#scale;
        const fromY = this.#y + it.parent.y * this.#scale;
        if (Math.max(y, fromY) < 0 || Math.min(y, fromY) > this.#height) continue;
        pen.moveTo(fromX, fromY);
        if (this.#scale < curveScale) {
          pen.lineTo(x, y);
        } else {
          const middle = (x + fromX) / 2;
          pen.bezierCurveTo(middle, fromY, middle, y, x, y);
        }
      }
      pen.strokeStyle = this.#colours[isWay ? "way" : "link"]!;
      pen.lineWidth = isWay ? Math.max(2, 4 * this.#scale) : Math.max(0.5, 1.4 * this.#scale);
      pen.stroke();
    }
  }

  #paintNodes(scene: Scene, inSight: Placed[]): void {
    const pen = this.#pen;
    const dot = (it: Placed, more = 0) => {
      const radius = Math.max(1.2, it.radius * this.#scale) + more;
      const x = this.#x + it.x * this.#across;
      const y = this.#y + it.y * this.#scale;
      pen.moveTo(x + radius, y);
      pen.arc(x, y, radius, 0, Math.PI * 2);
    };
    const each = (keep: (it: Placed) => boolean, more = 0) => {
      pen.beginPath();
      for (const it of inSight) if (keep(it)) dot(it, more);
    };
    if (scene.found.size > 0) {
      each((it) => scene.found.has(it.twig.node.id), 5);
      pen.fillStyle = this.#colours.found!;
      pen.fill();
    }
    const isUnread = (it: Placed) => scene.marksUnread && !it.twig.node.readByMe;
    pen.lineWidth = Math.max(1, 2.2 * this.#scale);
    for (const tone of tones) {
      each((it) => it.twig.tone === tone && !isUnread(it));
      pen.fillStyle = this.#colours[tone]!;
      pen.fill();
      // Hollow is what is still to be read.
      each((it) => it.twig.tone === tone && isUnread(it));
      pen.fillStyle = this.#colours.ground!;
      pen.fill();
      pen.strokeStyle = this.#colours[tone]!;
      pen.stroke();
    }
    const selected = this.#byId.get(scene.selected ?? "");
    if (selected) {
      pen.beginPath();
      dot(selected, 4);
      pen.strokeStyle = this.#colours.ink!;
      pen.lineWidth = 2;
      pen.stroke();
    }
  }

  #paintLabels(scene: Scene, inSight: Placed[]): void {
    const pen = this.#pen;
    const size = Math.round(Math.min(15, 13 * Math.max(this.#scale, 0.85)));
    pen.textBaseline = "middle";
    for (const isStrong of [false, true]) {
      pen.font = `${isStrong ? "600 " : ""}${size}px ${this.#face}`;
      for (const it of inSight) {
        const { node, total, below } = it.twig;
        const isChosen = scene.way.has(node.id) || node.id === scene.selected;
        if (isChosen !== isStrong) continue;
        const x = this.#x + it.x * this.#across + it.radius * this.#scale + 7;
        const y = this.#y + it.y * this.#scale;
        const folded = scene.closed.has(node.id) && total > 0 ? `  +${total}` : "";
        const room = columnGap * this.#across - it.radius * this.#scale * 2 - 16;
        const letters = Math.floor(room / (size * letterWidth)) - folded.length;
        const text = clipped(node.title, Math.min(lettersMax, Math.max(4, letters))) + folded;
        // What leads on begins behind the title.
        if (below.length > 0 && !folded) {
          pen.fillStyle = this.#colours.ground!;
          pen.fillRect(x - 3, y - size * 0.7, this.#widthOf(text, pen.font) + 8, size * 1.4);
        }
        pen.fillStyle = this.#colours[node.removed ? "soft" : "ink"]!;
        pen.fillText(text, x, y);
      }
    }
  }

  #widthOf(text: string, font: string): number {
    const key = `${font} ${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = this.#pen.measureText(text).width;
      this.#widths.set(key, width);
    }
    return width;
  }
}
