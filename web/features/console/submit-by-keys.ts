import type { KeyboardEvent } from 'react';

/** Submits a form by Ctrl+Enter or ⌘+Enter, and once: a held key repeats itself, and browsers may submit a form by Enter themselves. */
export const submitByKeys = (submit: () => unknown, isSubmitting: boolean) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!event.repeat && !isSubmitting) void submit();
};
