import { type Kysely, sql } from 'kysely';

/**
 * The functions of 0480 with what is public read from `works`: one narrow row for a reel or photo, and for tags one query of both. A tier of
 * entries before the last one, which the next ranking fills. Misspelt words are sought by spellings, in the place of trigrams. A large site creates the
 * column, the function and the indexes before the upgrade (CHANGELOG.md). `search_words_alike` and `search_entries_…_rest` stay for the version before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table search_entries add column if not exists is_upper boolean not null default false;

    -- A word and what is left of it without one of its letters, and its consonants: words that have one of these in common are alike.
    create or replace function spellings(key text) returns text[] language sql immutable strict parallel safe as $$
      select array(select left(key, n) || substr(key, n + 2) from generate_series(0, length(key)) n)
        || ('-' || translate(key, 'aeiouhy', ''))
    $$;
    create index if not exists search_words_spellings on search_words using gin (spellings(key));
    create index if not exists search_entries_reel_upper on search_entries using gin (words)
      where kind = 'reel' and is_upper and not is_top;
    create index if not exists search_entries_reel_others on search_entries using gin (words)
      where kind = 'reel' and not is_upper and not is_top;
    create index if not exists search_entries_post_upper on search_entries using gin (words)
      where kind = 'post' and is_upper and not is_top;
    create index if not exists search_entries_post_others on search_entries using gin (words)
      where kind = 'post' and not is_upper and not is_top;
    create index if not exists search_entries_person_upper on search_entries using gin (words)
      where kind = 'person' and is_upper and not is_top;
    create index if not exists search_entries_person_others on search_entries using gin (words)
      where kind = 'person' and not is_upper and not is_top;
    create index if not exists search_entries_tag_upper on search_entries using gin (words)
      where kind = 'tag' and is_upper and not is_top;
    create index if not exists search_entries_tag_others on search_entries using gin (words)
      where kind = 'tag' and not is_upper and not is_top`.execute(db);
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
      entries(kind, 'is_upper and not is_top and words @@ m.last_words', 'm.last_better'),
      entries(kind, 'not is_upper and not is_top and words @@ m.last_words', 'm.last_better'),
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
  const having = [
    'is_first',
    'is_top and not is_first',
    'is_upper and not is_top',
    'not is_upper and not is_top',
  ].flatMap((tier) =>
    ['reel', 'post', 'person'].map(
      (kind) => `(select from search_entries where kind = '${kind}' and ${tier} and words @@ word::tsquery)`,
    ),
  );
  await sql
    .raw(`
      -- How many reels, posts and people have a word, counted up to a number: one tier after the other, so that of a frequent word little is read.
      create or replace function entries_with(word text, most integer) returns bigint
      language plpgsql stable set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
      begin
        return (select count(*) from (${having.join(' union all ')} limit most) one);
      end $$`)
    .execute(db);
}
