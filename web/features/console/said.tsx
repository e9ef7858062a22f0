import type { ShownCase } from '#contract/cases.ts';
import { useText } from '#web/text.tsx';

/** What was reported says, as it was then. */
export function Said({ of: { words, more } }: { of: Pick<ShownCase, 'words' | 'more'> }) {
  const text = useText();
  return (
    <blockquote dir="auto" className="whitespace-pre-wrap rounded-control bg-sunken px-4 py-3">
      {words || text('console.noWords')}
      {more && `\n\n${more}`}
    </blockquote>
  );
}
