import { useCallback } from 'react';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

/** Says what a category is called in the page's language. */
export function useCategoryName(): (category: { id: string }) => string {
  const text = useText();
  return useCallback(({ id }) => text(`categoryName.${id}` as MessageId), [text]);
}
