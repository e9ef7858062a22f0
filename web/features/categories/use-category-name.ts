import { useCallback } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

/** Returns a function that gives the name of a category in the page's language. */
export function useCategoryName(): (category: { id: string }) => string {
  const text = useText();
  return useCallback(({ id }) => text(`categoryName.${id}` as MessageId), [text]);
}
