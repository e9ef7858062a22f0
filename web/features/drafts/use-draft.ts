import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** Keeps what is typed until it is sent: a reload, a failure or a walk around the site loses nothing. */
export function useDraft<F extends FieldValues>(
  name: string,
  form: UseFormReturn<F>,
): { forget: () => void } {
  const key = `jhalak.draft.${name}`;
  const { reset, subscribe, getValues } = form;
  useEffect(() => {
    try {
      const kept = sessionStorage.getItem(key);
      if (kept) reset(fitting(JSON.parse(kept), getValues()), { keepDefaultValues: true });
    } catch {
      // Storage is forbidden or holds something else: the form begins empty.
    }
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        try {
          sessionStorage.setItem(key, JSON.stringify(values));
        } catch {
          // Storage is forbidden: what is typed lives as long as the page.
        }
      },
    });
  }, [key, reset, subscribe, getValues]);
  return {
    forget: () => {
      try {
        sessionStorage.removeItem(key);
      } catch {
        // There was nothing to forget.
      }
    },
  };
}

/** What was kept, as far as it has the form's shape; a form may have changed since. */
function fitting<F extends FieldValues>(kept: Partial<F>, blank: F): F {
  const shapeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
  const fields = Object.entries(blank).map(([name, value]) => [
    name,
    shapeOf(kept[name]) === shapeOf(value) ? kept[name] : value,
  ]);
  return Object.fromEntries(fields) as F;
}
