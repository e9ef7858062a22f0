import { type Kysely, sql } from 'kysely';

/**
 * Functions that return the entries of a kind that match, and are public now, also for the viewer: `found_reels`, `found_posts`, `found_people` and
 * `found_tags`. Match after match, and of each one tier after the other (docs/decisions/0092-search.md). The limit of the lateral query lets
 * PostgreSQL look at one entry after the other, in their order, and stop when the page is full. They are functions so that each connection plans them
 * once: that takes longer than to run them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const notBlocked = (other: string) => `(viewer is null
          or not exists (select from blocks where blocker_id = viewer and blocked_id = ${other})
          and not exists (select from blocks where blocker_id = ${other} and blocked_id = viewer))`;
  const shownOf = (person: string) => `p.id = ${person} and p.suspended_at is null and ${notBlocked('p.id')}`;
  const shownReel = `w.state = 'ready' and w.deleted_at is null and w.taken_down_at is null and ${shownOf('w.creator_id')}`;
  const shownPost = `w.deleted_at is null and w.taken_down_at is null and ${shownOf('w.creator_id')}`;
  const kinds = {
    reels: { kind: 'reel', shown: `from reels w, people p where w.id = s.id and ${shownReel}` },
    posts: { kind: 'post', shown: `from posts w, people p where w.id = s.id and ${shownPost}` },
    people: { kind: 'person', shown: `from people p where ${shownOf('s.id')}` },
    tags: {
      kind: 'tag',
      shown: `from work_tags t, reels w, people p where t.tag_id = s.id and t.kind = 'reel' and w.id = t.work_id and ${shownReel}
          union all
          select from work_tags t, posts w, people p where t.tag_id = s.id and t.kind = 'post' and w.id = t.work_id and ${shownPost}`,
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
