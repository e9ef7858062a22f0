import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

interface Around {
  label: string;
  /** A hint that is always shown, such as a limit or a format. */
  hint?: ReactNode;
  /** The error message, shown below. */
  error?: string | undefined;
  optional?: string;
}

interface FrameProps extends Around {
  id: string;
  children: ReactNode;
}

/** The layout of label, control, hint and error. For custom controls use it together with `describing`. */
export function FieldFrame({ id, label, hint, error, optional, children }: FrameProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between font-semibold">
        {label}
        {optional && <span className="text-[0.9375rem] font-normal text-soft">{optional}</span>}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-[0.9375rem] leading-snug text-soft">
          {hint}
        </p>
      )}
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

/** The ARIA attributes that connect a control with its hint and error. */
export function describing(id: string, { hint, error }: Pick<Around, 'hint' | 'error'>) {
  const ids = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': ids || undefined };
}

const controlLook = classNames(
  'w-full rounded-control border border-line-strong bg-surface px-4 text-text placeholder:text-soft',
  'read-only:bg-sunken read-only:text-soft aria-invalid:border-alert aria-invalid:border-2',
);

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className'>, Around {
  /** An element at the end of the field, such as a show/hide button. */
  trailing?: ReactNode;
}

export function TextField({ label, hint, error, optional, trailing, ...input }: TextFieldProps) {
  const own = useId();
  const id = input.id ?? own;
  return (
    <FieldFrame {...{ id, label, hint, error }} {...(optional ? { optional } : {})}>
      <div className="relative">
        <input
          {...input}
          {...describing(id, { hint, error })}
          className={classNames(controlLook, 'h-12 pt-0.5', trailing ? 'pr-13' : false)}
        />
        {trailing && <div className="absolute inset-y-0 right-0.5 grid place-items-center">{trailing}</div>}
      </div>
    </FieldFrame>
  );
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className'>, Around {}

export function TextArea({ label, hint, error, optional, rows = 4, ...area }: TextAreaProps) {
  const own = useId();
  const id = area.id ?? own;
  return (
    <FieldFrame {...{ id, label, hint, error }} {...(optional ? { optional } : {})}>
      <textarea
        {...area}
        {...describing(id, { hint, error })}
        rows={rows}
        className={classNames(controlLook, 'field-sizing-content min-h-28 resize-y py-3')}
      />
    </FieldFrame>
  );
}
