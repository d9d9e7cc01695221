import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** A dialog over the page. The browser keeps the focus inside and closes it with Escape. */
export function Dialog({
  title,
  close,
  wide = false,
  children,
}: {
  title: string;
  close: () => void;
  wide?: boolean;
  children: ComponentChildren;
}): JSX.Element {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // Not the button that closes it, which comes first.
    dialog?.querySelector<HTMLElement>('.dialog-body :is(input, textarea, select)')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class={wide ? 'dialog wide' : 'dialog'}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === element.current) close();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <header class="dialog-head">
        <h2>{title}</h2>
        <button type="button" class="quiet small" aria-label="Close" onClick={close}>
          ✕
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** Asks before something that cannot be undone. */
export function Confirm({
  title,
  action,
  run,
  close,
  children,
}: {
  title: string;
  /** What the button says: the verb. */
  action: string;
  run: () => void;
  close: () => void;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <Dialog title={title} close={close}>
      {children}
      <div class="actions end">
        <button type="button" onClick={close}>
          Keep
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            close();
            run();
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
