import { type KeyboardEvent, useId } from 'react';
import { Link } from 'react-router';
import { classNames } from './class-names.ts';

interface TabsProps {
  label: string;
  tabs: readonly { id: string; label: string; to: string }[];
  selected: string;
  /** The id of the panel that shows the tab's content. */
  panelId: string;
  /** Called when the selected tab is pressed. */
  onAgain?: () => void;
  className?: string;
}

/** Tabs that are links, so they work without a script and survive Back and reload. Arrow keys move between them. */
export function Tabs({ label, tabs, selected, panelId, onAgain, className }: TabsProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = all[(to + all.length) % all.length];
    next?.focus();
    next?.click();
  };
  return (
    <div
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
      className={classNames('flex gap-1 border-b border-line', className)}
    >
      {tabs.map((tab) => (
        <Link
          key={tab.id}
          id={`${id}${tab.id}`}
          role="tab"
          aria-selected={tab.id === selected}
          aria-controls={panelId}
          tabIndex={tab.id === selected ? 0 : -1}
          to={tab.to}
          replace
          preventScrollReset
          onClick={tab.id === selected ? onAgain : undefined}
          className="-mb-px flex min-h-11 items-center border-b-2 border-transparent px-4 pt-0.5 font-semibold text-soft hover:text-text aria-selected:border-accent aria-selected:text-text"
        >
          {tab.label}
        </Link>
      ))}
    </div>
  );
}
