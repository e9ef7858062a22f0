import { type Kysely, sql } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { bytes, plain } from './arrays.ts';

/** Browsers of a person that are remembered. Others are those in which they were signed in longest ago. */
export const browsersOfPerson = 100;

export async function upsertBrowser(
  db: Kysely<Tables>,
  { personId, day, at, browser }: { personId: string; day: string; at: Date; browser: Buffer },
): Promise<void> {
  await sql`
    insert into seen_browsers as b (person_id, browser, seen_on, seen_at)
    select id, ${browser}, ${day}::date, ${at} from people where id = ${personId} for key share
    on conflict (person_id, browser) do update set seen_on = excluded.seen_on, seen_at = excluded.seen_at
    where b.seen_on < excluded.seen_on`.execute(db);
  await sql`
    delete from seen_browsers where person_id = ${personId} and browser in (
      select browser from seen_browsers where person_id = ${personId}
      order by browser = ${browser} desc, seen_on desc, seen_at desc, browser offset ${browsersOfPerson}
    )`.execute(db);
}

export async function deleteBrowsers(db: Kysely<Tables>, before: string): Promise<void> {
  await sql`delete from seen_browsers where seen_on < ${before}::date`.execute(db);
}

interface PossiblyOwnView {
  creatorId: string;
  day: string;
  /** In hex; undefined if the player did not send one. */
  browser: string | undefined;
}

/** Those of these views that are from a browser in which the creator was signed in. */
export async function findFromOwnBrowsers<View extends PossiblyOwnView>(
  db: Kysely<Tables>,
  all: readonly View[],
): Promise<View[]> {
  const views = all.filter(({ browser }) => browser !== undefined);
  if (views.length === 0) return [];
  const { rows } = await sql<{ number: number }>`
    select number::int from unnest(
      ${plain(views.map((view) => view.creatorId))}::uuid[], ${plain(views.map((view) => view.day))}::date[],
      ${bytes(views.map((view) => view.browser ?? null))}::bytea[]
    ) with ordinality as seen (creator_id, day, browser, number)
    where exists (
      select from seen_browsers b where b.person_id = seen.creator_id and b.browser = seen.browser
        and b.seen_on >= seen.day - ${sql.lit(rules.watch.ownBrowserDays)}
    )`.execute(db);
  return rows.flatMap(({ number }) => views[number - 1] ?? []);
}
