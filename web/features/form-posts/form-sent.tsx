import { useLocation } from 'react-router';
import { useHydrated } from '#web/ui/use-hydrated.ts';

/** Shows that a form was accepted, if the address leads to this element, as after a form without a script. */
export function FormSent({ id, children }: { id: string; children: string }) {
  const { hash } = useLocation();
  // With a script a notice shows it.
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
