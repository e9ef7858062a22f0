import { type Kysely, sql } from 'kysely';
import type { CaseKind, CaseReason } from '#contract/cases.ts';
import type { SiteRule } from '#contract/site-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { creatorsOf } from '../works/works.ts';

interface ThingRow {
  asked_kind: string;
  id: string;
  kind: CaseKind;
  words: string | null;
  owner: string | null;
  /** A case about it, undecided, or a decision in force about it or itself is about what may show a child. */
  is_child: boolean;
}

const child = 'child_safety' satisfies CaseReason & SiteRule;

export async function nameThings(
  db: Kysely<Tables>,
  targets: readonly { kind: string; id: string }[],
  letters: number,
): Promise<ThingRow[]> {
  const [kinds, ids] = [targets.map(({ kind }) => kind), targets.map(({ id }) => id)];
  // Only their ids are known, so a cluster asks all its nodes.
  const comments = targets.filter(({ kind }) => kind === 'comment').map(({ id }) => id);
  const works = targets.filter(({ kind }) => kind === 'reel' || kind === 'post').map(({ id }) => id);
  const creatorIds = [...new Set((await creatorsOf(db, works)).values())];
  const { rows } = await sql<ThingRow>`
    with asked as (select distinct * from unnest(${kinds}::text[], ${ids}::uuid[]) as a (kind, id)),
    named as (
      select 'report' as asked_kind, c.id, c.kind, evidence ->> 'words' as words, evidence ->> 'owner' as owner,
        ${child} = any(reasons) as is_child
      from cases c where c.id in (select id from asked where kind = 'report')
      union all
      select thing.kind, thing.id, thing.kind, thing.words, p.username,
        exists (select from cases c where c.kind = thing.kind and c.target_id = thing.id and c.closed_at is null
          and ${child} = any(c.reasons))
        or exists (select from decisions d left join cases c on c.id = d.case_id
          where d.target_id = thing.id and d.ended_at is null and (d.rule = ${child} or ${child} = any(c.reasons)))
      from (
        select 'reel' as kind, id, caption as words, creator_id as owner_id from reels
        where creator_id = any(${creatorIds}::uuid[]) and id in (select id from asked where kind = 'reel') and deleted_at is null
        union all
        select 'post', id, caption, creator_id from posts
        where creator_id = any(${creatorIds}::uuid[]) and id in (select id from asked where kind = 'post') and deleted_at is null
        union all
        select 'story', id, status_text, creator_id from stories where id in (select id from asked where kind = 'story') and deleted_at is null
        ${comments.length > 0 ? sql`union all select 'comment', id, text, person_id from reel_comments where id = any(${comments}::uuid[])` : sql``}
        union all
        select 'person', id, name, id from people where id in (select id from asked where kind = 'person')
      ) thing left join people p on p.id = thing.owner_id
    )
    select asked_kind, id, kind, left(words, ${letters}) as words, owner, is_child from named`.execute(db);
  return rows;
}
