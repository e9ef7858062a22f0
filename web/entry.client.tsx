import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { registerServiceWorker } from './features/offline/register.ts';
import { loadMessages } from './messages/catalogues.ts';
import { whenTouched } from './when-settled.ts';

await loadMessages(document.documentElement.lang);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

// React Router skips a transition that the next one overtakes, and leaves the promise of the skipped one to nobody.
window.addEventListener('unhandledrejection', (event) => {
  const { reason } = event;
  if (reason instanceof DOMException && /^Transition was skipped/.test(reason.message))
    event.preventDefault();
});

registerServiceWorker();
whenTouched(() => document.documentElement.classList.add('all-letters'));
