import { Link } from 'react-router';
import { acts } from '#contract/acts.ts';
import type { LoggedAct, NamedAct } from '#contract/operators.ts';
import { siteRuleNames } from '#contract/site-rules.ts';
import { useText } from '#web/text.tsx';

/** What an operator did, in words. */
export function ActName({ act }: { act: string }) {
  const text = useText();
  const known = acts.find((one) => one === act);
  return known ? text(`console.did.${known}`) : act;
}

/** Where the console, or the site, shows the target of an act; undefined for what has no page. */
function placeOf({ targetKind, targetId }: LoggedAct): string | undefined {
  const id = encodeURIComponent(targetId);
  const places: Record<string, string> = {
    report: `?part=reports&state=decided&case=${id}`,
    reel: `/videoplayer?reel=${id}`,
    post: `/post/${id}`,
    person: `?part=people&case=${id}`,
    withdrawal: `?part=withdrawals&case=${id}`,
    batch: `?part=batches&case=${id}`,
  };
  return places[targetKind];
}

const named = ['withdrawal', 'batch'] as const;

/** What an act is about, in words. */
export function useThingName(): (act: NamedAct) => string {
  const text = useText();
  return ({ thing, targetKind, targetId }) => {
    if (thing)
      return text('console.many.case', {
        kind: text(`console.kind.${thing.kind}`),
        username: thing.owner,
        words: thing.words || text('console.noWords'),
      });
    const kind = named.find((one) => one === targetKind);
    return kind ? text(`console.target.${kind}`) : `${targetKind}:${targetId}`;
  };
}

/** By which rule, and for how long. */
export function ByRule({ details: { rule, days } }: Pick<LoggedAct, 'details'>) {
  const text = useText();
  const known = siteRuleNames.find((one) => one === rule);
  const words = [
    ...(known ? [text('console.byRule', { rule: text(`rule.${known}`) })] : []),
    ...(typeof days === 'number' ? [text('console.forDays', { count: days })] : []),
  ];
  return words.length === 0 ? null : <span className="text-[0.9375rem]">{words.join(' · ')}</span>;
}

/** What an act is about, with a link to it. */
export function ActTarget({ act }: { act: NamedAct }) {
  const place = placeOf(act);
  const name = useThingName()(act);
  if (!place) return <span className="break-all">{name}</span>;
  return (
    <Link to={place} className="break-all text-link">
      {name}
    </Link>
  );
}
