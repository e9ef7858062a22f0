import { type Kysely, sql } from 'kysely';

/** The functions of 0480 with what is public read from `works`: one narrow row for a reel or photo, and for tags one query of both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const notBlocked = (other: string) => `(viewer is null
          or not exists (select from blocks where blocker_id = viewer and blocked_id = ${other})
          and not exists (select from blocks where blocker_id = ${other} and blocked_id = viewer))`;
  const shownOf = (person: string) => `p.id = ${person} and p.suspended_at is null and ${notBlocked('p.id')}`;
  const shownWork = `w.published_at is not null and ${shownOf('w.creator_id')}`;
  const work = `from works w, people p where w.id = s.id and ${shownWork}`;
  const kinds = {
    reels: { kind: 'reel', shown: work },
    posts: { kind: 'post', shown: work },
    people: { kind: 'person', shown: `from people p where ${shownOf('s.id')}` },
    tags: {
      kind: 'tag',
      shown: `from work_tags t, works w, people p where t.tag_id = s.id and w.id = t.work_id and ${shownWork}`,
    },
  };
  const entries = (kind: string, condition: string, better: string) => `
          (select id from search_entries where kind = '${kind}' and ${condition}
            and (words @@ ${better}) is not true and (names like m.better_part) is not true
          order by (words @@ m.first_words) desc, popularity desc, id desc)`;
  for (const [name, { kind, shown }] of Object.entries(kinds)) {
    const parts = [
      entries(kind, 'is_first and words @@ m.words', 'm.better'),
      entries(kind, 'is_top and not is_first and words @@ m.words', 'm.better'),
      entries(kind, 'not is_top and words @@ m.last_words', 'm.last_better'),
      ...(kind === 'person' || kind === 'tag' ? [entries(kind, 'names like m.part', 'm.better')] : []),
    ];
    await sql
      .raw(`
      create or replace function found_${name}(matches jsonb, viewer uuid, most integer) returns setof uuid
      language plpgsql stable set plan_cache_mode = force_generic_plan as $$
      begin
        return query
        select s.id from jsonb_to_recordset(matches) as m (words tsquery, last_words tsquery, first_words tsquery, part text,
            better tsquery, last_better tsquery, better_part text),
          lateral (${parts.join(' union all ')}
          ) s,
          lateral (select ${shown} limit 1) shown
        limit most;
      end $$`)
      .execute(db);
  }
}
