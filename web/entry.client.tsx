import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { registerServiceWorker } from './features/offline/register.ts';
import { renewOldPages } from './features/offline/renew-page.ts';
import { keepPush } from './features/settings/keep-push.ts';
import { loadMessages } from './messages/catalogues.ts';

await loadMessages(document.documentElement.lang);
if (document.documentElement.dataset.onSite) await import('./features/on-site/start.ts');

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

// React Router skips a view transition when the next one starts, and does not handle the rejected promise of the skipped one.
window.addEventListener('unhandledrejection', (event) => {
  const { reason } = event;
  if (reason instanceof DOMException && /^Transition was skipped/.test(reason.message))
    event.preventDefault();
});

renewOldPages();
registerServiceWorker();
keepPush();
