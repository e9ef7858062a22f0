import type { ListedCase } from '#contract/cases.ts';
import type { useText } from '#web/text.tsx';

/** The values of `console.many.case`: what a case is about. */
export const nameOfCase = ({ kind, owner, words }: ListedCase, text: ReturnType<typeof useText>) => ({
  kind: text(`console.kind.${kind}`),
  username: owner,
  words: words || text('console.noWords'),
});
