import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger';

const kinds: Record<ButtonKind, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-line-strong bg-surface text-text hover:border-text',
  quiet: 'text-text hover:bg-sunken',
  danger: 'border border-alert text-alert hover:bg-alert-ground',
};

/** The classes of a button, for links that look like one: `<Link className={buttonLook('primary')}>`. */
export function buttonLook(kind: ButtonKind = 'secondary', more?: string): string {
  return classNames(
    'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-5 pt-0.5 text-center font-semibold wrap-break-word',
    'transition-[background-color,border-color,transform] duration-150 active:scale-[0.98]',
    'aria-disabled:cursor-default aria-disabled:opacity-60 aria-disabled:active:scale-100',
    kinds[kind],
    more,
  );
}

interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind;
  /** An action is running: the button is animated and ignores clicks. */
  busy?: boolean;
}

/** Stays focusable while disabled or busy, so that keyboard users keep their position. */
export function Button({ kind, busy, disabled, className, onClick, type = 'button', ...rest }: ButtonProps) {
  const inert = busy || disabled;
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={inert || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => (inert ? event.preventDefault() : onClick?.(event))}
      className={buttonLook(kind, classNames(busy && 'busy aria-disabled:opacity-90', className))}
    />
  );
}

interface IconButtonProps extends ComponentProps<'button'> {
  /** The accessible name. */
  label: string;
}

export function IconButton({ label, className, type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        'grid size-11 shrink-0 place-items-center rounded-full hover:bg-sunken',
        className,
      )}
    />
  );
}
