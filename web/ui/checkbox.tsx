import { type ComponentProps, useId } from 'react';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'className' | 'type'> {
  label: string;
  /** The error message, shown below. */
  error?: string | undefined;
}

/** A checkbox; a click on its label toggles it too. */
export function Checkbox({ label, error, ...input }: CheckboxProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
        <input
          {...input}
          id={id}
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="size-6 shrink-0 cursor-pointer accent-accent"
        />
        <span>{label}</span>
      </label>
      <p
        id={`${id}-error`}
        aria-live="polite"
        className={error ? 'text-[0.9375rem] font-medium leading-snug text-alert' : 'sr-only'}
      >
        {error}
      </p>
    </div>
  );
}
