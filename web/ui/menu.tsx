import { type ReactNode, type SyntheticEvent, useEffect, useRef } from 'react';
import { classNames } from './class-names.ts';

interface MenuProps {
  /** What stands on the page and opens it. */
  trigger: ReactNode;
  triggerClassName?: string;
  /** Name of the trigger where `trigger` shows only an icon. */
  label?: string;
  panelClassName?: string;
  children: ReactNode;
}

/** A panel of links or buttons under its trigger. It opens without any script, too. */
export function Menu({ trigger, triggerClassName, label, panelClassName, children }: MenuProps) {
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
      // For the menu alone, whatever Escape does around it.
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
    if ((event.target as Element).closest('a, button') && ref.current) ref.current.open = false;
  };

  return (
    <details ref={ref} className="group relative">
      <summary aria-label={label} className={triggerClassName}>
        {trigger}
      </summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: listens to its links */}
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

/** The look of a line in a menu, link or button. */
export const menuItemLook =
  'flex min-h-11 w-full items-center gap-3 rounded-control px-3 pt-0.5 text-left font-medium hover:bg-sunken aria-[current=page]:text-accent-text';
