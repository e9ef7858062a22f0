import { useEffect, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { storageKeys } from '#web/storage-keys.ts';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useSession } from '../session/use-session.ts';

/**
 * Stores a form's values until it is sent, so that a reload, a failure or a visit to another page loses nothing. A
 * draft is shown only to the person who typed it, if several people use the tab.
 */
export function useDraft<F extends FieldValues>(
  name: string,
  form: UseFormReturn<F>,
): { forget: () => void } {
  const { user } = useSession();
  const hydrated = useHydrated();
  const owner = user?._id ?? user?.email;
  const key = owner ? `${name}.${owner}` : name;
  const shown = useRef<string>(undefined);
  const { reset, subscribe, getValues } = form;
  useEffect(() => {
    // Before hydration it is not known whose draft it is.
    if (!hydrated) return;
    if (shown.current && shown.current !== key) reset();
    shown.current = key;
    try {
      const stored = sessionStorage.getItem(storageKeys.drafts + key);
      if (stored) reset(matching(JSON.parse(stored), getValues()), { keepDefaultValues: true });
    } catch {
      // If storage is forbidden or holds something else, the form begins empty.
    }
    return subscribe({
      formState: { values: true },
      callback: ({ values }) => {
        try {
          sessionStorage.setItem(storageKeys.drafts + key, JSON.stringify(values));
        } catch {
          // If storage is forbidden, the draft lasts as long as the page.
        }
      },
    });
  }, [hydrated, key, reset, subscribe, getValues]);
  return {
    forget: () => {
      try {
        sessionStorage.removeItem(storageKeys.drafts + key);
      } catch {
        // If storage is forbidden, nothing was stored.
      }
    },
  };
}

/** The stored values whose types fit the form, which may have changed since. */
function matching<F extends FieldValues>(stored: Partial<F>, blank: F): F {
  const shapeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value);
  const fields = Object.entries(blank).map(([name, value]) => [
    name,
    shapeOf(stored[name]) === shapeOf(value) ? stored[name] : value,
  ]);
  return Object.fromEntries(fields) as F;
}
