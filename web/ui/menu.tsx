import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';

interface MenuProps {
  /** The content of the button that opens the menu. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** The accessible name where `trigger` is only an icon. */
  label?: string;
  panelClassName?: string;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** A panel of links or buttons below its trigger. It also opens without a script. */
export function Menu({ trigger, triggerClassName, label, panelClassName, onToggle, children }: MenuProps) {
  const ref = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    const menu = ref.current;
    if (!menu) return;
    const close = () => {
      menu.open = false;
    };
    const outside = (event: Event) => {
      if (menu.open && !menu.contains(event.target as Node)) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !menu.open) return;
      // Escape closes only the menu, and not a dialog around it.
      event.preventDefault();
      close();
      menu.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', outside);
    document.addEventListener('focusin', outside);
    menu.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', outside);
      document.removeEventListener('focusin', outside);
      menu.removeEventListener('keydown', onKey);
    };
  }, []);

  const chosen = (event: SyntheticEvent) => {
    const item = (event.target as Element).closest('a, button');
    if (!item || !ref.current) return;
    ref.current.open = false;
    // A dialog that the button opens returns the focus to where it is now.
    if (item.localName === 'button') ref.current.querySelector('summary')?.focus();
  };

  return (
    <details
      ref={ref}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
      className="group relative"
    >
      <summary aria-label={label} className={triggerClassName}>
        {trigger}
      </summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: handles the clicks of its links */}
      <div
        onClick={chosen}
        className={classNames(
          'panel absolute right-0 top-full z-10 mt-2 min-w-56 rounded-panel border border-line bg-surface p-2 shadow-raised',
          panelClassName,
        )}
      >
        {children}
      </div>
    </details>
  );
}

/** The classes of a menu item, which is a link or a button. */
export const menuItemLook =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 pt-0.5 text-left font-medium hover:bg-sunken aria-[current=page]:text-accent-text';
