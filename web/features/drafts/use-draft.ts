import { useEffect, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { useHydrated } from '#web/ui/use-hydrated.ts';
import { useSession } from '../session/use-session.ts';

/**
 * Keeps what is typed until it is sent: a reload, a failure or a walk around the site loses nothing. What one person typed
 * is shown to nobody else who uses this tab.
 */
export function useDraft<F extends FieldValues>(
  name: string,
  form: UseFormReturn<F>,
): { forget: () => void } {
  const { user } = useSession();
  const hydrated = useHydrated();
  const owner = user?._id ?? user?.email;
  const key = owner ? `jhalak.draft.${name}.${owner}` : `jhalak.draft.${name}`;
  const shown = useRef<string>(undefined);
  const { reset, subscribe, getValues } = form;
  useEffect(() => {
    // Before that it is not known whose it is.
    if (!hydrated) return;
    if (shown.current && shown.current !== key) reset();
    shown.current = key;
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
  }, [hydrated, key, reset, subscribe, getValues]);
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
