/**
 * Tells visitors without scripts what does not work. It uses a media query and `<noscript>`, because older browsers know
 * only `<noscript>`, and only `<noscript>` reacts to extensions that block scripts.
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
