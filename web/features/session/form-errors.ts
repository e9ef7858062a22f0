import type { FieldErrors, FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { isApiError } from '#contract/api-error.ts';

/** Puts what the server said beside each field it is about, or above the form; `otherwise` where it said nothing, or was not reached. */
export function showFailure<F extends FieldValues>(
  error: unknown,
  fields: readonly Path<F>[],
  setError: UseFormSetError<F>,
  otherwise: string,
): void {
  const said: Readonly<Record<string, string>> = isApiError(error) ? error.fields : {};
  const wrong = fields.filter((name) => said[name]);
  for (const [place, name] of wrong.entries())
    setError(name, { message: said[name] ?? '' }, { shouldFocus: place === 0 });
  if (wrong.length > 0) return;
  const message = isApiError(error) && error.status > 0 && error.message ? error.message : otherwise;
  setError('root', { message });
}

/**
 * The words beside each field: one sentence said of several fields stands beside the first of them only, and the others
 * are just marked.
 */
export function errorWords<F extends FieldValues>(errors: FieldErrors<F>, fields: readonly Path<F>[]) {
  const said = new Set<string>();
  const words = new Map<string, string>();
  for (const name of fields) {
    const message = errors[name]?.message;
    if (typeof message !== 'string') continue;
    words.set(name, said.has(message) ? ' ' : message);
    said.add(message);
  }
  return (name: Path<F>) => words.get(name);
}
