import type { SiteRule } from '#contract/site-rules.ts';
import { useText } from '#web/text.tsx';

/** A rule of the site, as the person concerned and the reporters read it. */
export function Rule({ rule }: { rule: SiteRule }) {
  const text = useText();
  return (
    <blockquote className="mt-2 rounded-control border-l-4 border-accent bg-sunken px-4 py-3">
      <p className="font-semibold">{text(`rule.${rule}`)}</p>
      <p>{text(`rule.${rule}.text`)}</p>
    </blockquote>
  );
}
