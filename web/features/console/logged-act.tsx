import { Link } from 'react-router';
import { acts } from '#contract/acts.ts';
import type { LoggedAct } from '#contract/operators.ts';
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

/** What an act is about, with a link to it. */
export function ActTarget({ act }: { act: LoggedAct }) {
  const place = placeOf(act);
  const name = `${act.targetKind}:${act.targetId}`;
  if (!place) return <span className="break-all">{name}</span>;
  return (
    <Link to={place} className="break-all text-link">
      {name}
    </Link>
  );
}
