import { useLocation } from 'react-router';
import { useHydrated } from '#web/ui/use-hydrated.ts';

/** Says that a form was taken, where the address leads to its place: a form sent without a script ends there. */
export function FormSent({ id, children }: { id: string; children: string }) {
  const { hash } = useLocation();
  // With a script notices say it.
  if (useHydrated() && hash !== `#${id}`) return null;
  return (
    <p
      id={id}
      role="status"
      className="hidden scroll-mt-28 rounded-control border border-line-strong bg-sunken px-4 py-3 font-medium target:block"
    >
      {children}
    </p>
  );
}
