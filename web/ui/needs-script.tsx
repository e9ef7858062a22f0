/**
 * Says, to who has no script, what cannot be done without one. By media query and by `<noscript>`: older browsers know only
 * the second, and extensions that keep scripts out show it where the first says nothing.
 */
export function NeedsScript({ children }: { children: string }) {
  return (
    <>
      <p className="without-script hidden rounded-control bg-alert-ground px-4 py-3 font-medium text-alert noscript:block">
        {children}
      </p>
      <noscript>
        <style>{'.without-script{display:block}'}</style>
      </noscript>
    </>
  );
}
