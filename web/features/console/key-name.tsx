import { useLettersOn } from './letter-keys.ts';

/** The key of a button, shown beside its name on wide screens while such keys are switched on. */
export function KeyName({ name }: { name: string }) {
  const on = useLettersOn();
  if (!on) return null;
  return (
    <kbd aria-hidden className="hidden rounded border border-current px-1.5 text-xs opacity-70 lg:inline">
      {name.toUpperCase()}
    </kbd>
  );
}
