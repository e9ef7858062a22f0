import type { FieldErrors, FieldValues, Path, UseFormSetError } from 'react-hook-form';
import { type ApiError, isApiError } from '#contract/api-error.ts';

/**
 * Shows the server's errors beside their fields or above the form; `otherwise` if the server sent none or was not
 * reached.
 */
export function showFailure<F extends FieldValues>(
  error: unknown,
  fields: readonly Path<F>[],
  setError: UseFormSetError<F>,
  otherwise: string,
): void {
  const sentences: ApiError['fields'] = isApiError(error) ? error.fields : {};
  const wrong = fields.filter((name) => sentences[name]);
  for (const [position, name] of wrong.entries())
    setError(name, { message: sentences[name]?.error ?? '' }, { shouldFocus: position === 0 });
  if (wrong.length > 0) return;
  const message = isApiError(error) && error.status > 0 && error.message ? error.message : otherwise;
  setError('root', { message });
}

/**
 * Messages for the fields. A message that applies to several fields is shown beside the first one; the others are
 * only marked.
 */
export function fieldMessages<F extends FieldValues>(errors: FieldErrors<F>, fields: readonly Path<F>[]) {
  const shown = new Set<string>();
  const words = new Map<string, string>();
  for (const name of fields) {
    const message = errors[name]?.message;
    if (typeof message !== 'string') continue;
    words.set(name, shown.has(message) ? ' ' : message);
    shown.add(message);
  }
  return (name: Path<F>) => words.get(name);
}
