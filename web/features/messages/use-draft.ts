import { useEffect } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/** Keeps what is typed until it is sent: a reload, a failure or a walk around the site loses nothing. */
export function useDraft<F extends FieldValues>(
  name: string,
  form: UseFormReturn<F>,
): { forget: () => void } {
  const key = `jhalak.draft.${name}`;
  const { reset, subscribe } = form;
  useEffect(() => {
    try {
      const kept = sessionStorage.getItem(key);
      if (kept) reset(JSON.parse(kept), { keepDefaultValues: true });
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
  }, [key, reset, subscribe]);
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
