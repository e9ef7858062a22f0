import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** The accessible name of the close button. */
  closeLabel: string;
  children: ReactNode;
  className?: string;
}

/**
 * The browser's native modal dialog: it traps the focus, makes the rest inert, closes on Escape and returns the focus to
 * where it was.
 */
export function Dialog({ open, onClose, title, closeLabel, children, className }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog || !open) return;
    const cameFrom = document.activeElement;
    // The scroll bar is measured before the dialog hides it. A second dialog on top finds no scroll bar.
    const { clientWidth, style } = document.documentElement;
    const scrollBar = window.innerWidth - clientWidth;
    if (scrollBar > 0) style.setProperty('--scroll-bar', `${scrollBar}px`);
    dialog.showModal();
    return () => {
      dialog.close();
      if (scrollBar > 0) style.removeProperty('--scroll-bar');
      if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus();
    };
  }, [open]);

  if (!open) return null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the dialog is a convenience; Escape does the same
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // A dialog within this one, or a file chooser, was closed.
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === ref.current && onClose()}
      className={classNames(
        'dialog m-auto w-[min(28rem,calc(100vw-1.5rem))] rounded-panel border border-line bg-surface text-text shadow-raised',
        className,
      )}
    >
      <div className="p-6 short:p-4">
        <div className="mb-4 flex items-start justify-between gap-4">
          <h2 id={titleId} className="pt-2 text-2xl">
            {title}
          </h2>
          <IconButton label={closeLabel} onClick={onClose} className="-mr-2">
            <X aria-hidden className="size-5" />
          </IconButton>
        </div>
        {children}
      </div>
    </dialog>
  );
}
