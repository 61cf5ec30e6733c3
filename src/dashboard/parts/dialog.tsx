import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from './button.js';

export interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Nothing in it takes the focus: it does so itself, and can be scrolled by key. */
  readonly isText?: boolean;
  readonly children: ReactNode;
}

/** Shown over the page while it is mounted. The browser keeps the focus inside, and gives it back. */
export function Dialog({ title, onClose, isText = false, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const name = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // The first thing to fill in, and not the way out.
    dialog?.querySelector<HTMLElement>('.body :is(input, textarea, select)')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={element} className="dialog" aria-labelledby={name} onClose={onClose} onCancel={onClose}>
      <header>
        <h2 id={name}>{title}</h2>
        <Button look="bare" onClick={onClose} label="Close">
          ✕
        </Button>
      </header>
      <div className="body" {...(isText && { tabIndex: 0, role: 'region', 'aria-labelledby': name })}>
        {children}
      </div>
    </dialog>
  );
}
