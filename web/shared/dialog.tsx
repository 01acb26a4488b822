import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icons";

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children?: ComponentChildren;
  isWide?: boolean;
  /** As a sheet along the right edge instead of in the middle. */
  isSheet?: boolean;
}

/** A modal dialog. The browser keeps the focus inside and gives it back afterwards. */
export function Dialog({ title, isOpen, onClose, children, isWide, isSheet }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!dialog || !isOpen) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea")?.focus();
    return () => {
      dialog.close();
      // What it was opened from may be gone.
      if (document.activeElement === document.body)
        document.getElementById("main")?.focus({ preventScroll: true });
    };
  }, [isOpen]);
  const onClick = (event: MouseEvent) => {
    if (event.target === element.current) onClose();
  };
  return (
    <dialog
      ref={element}
      class={`dialog ${isWide ? "dialog-wide" : ""} ${isSheet ? "dialog-sheet" : ""}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={onClick}
    >
      {isOpen && (
        <div class="dialog-inside">
          <header>
            <h2 id={id}>{title}</h2>
            <button class="quiet icon-only" type="button" aria-label="Close" onClick={onClose}>
              <Icon name="close" />
            </button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}
