import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { registerServiceWorker } from './features/offline/register.ts';
import { loadMessages } from './messages/catalogues.ts';
import { whenSettled } from './when-settled.ts';

await loadMessages(document.documentElement.lang);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});

registerServiceWorker();
whenSettled(() => document.documentElement.classList.add('all-letters'));
