import pg from 'pg';
import { searchKey } from '#server/features/search-index/search-key.ts';
import { tierEnds } from '#server/features/search-index/tiers.ts';
import { takeIndexes } from '../filling.ts';
import { searchedPeople, searchedPhotos, searchedReels } from './texts.ts';

/** Words of the captions of a large site: those of the texts beside, then ones that could be words. */
export function vocabulary(size: number): string[] {
  const real = [...searchedReels, ...searchedPhotos].flatMap(({ words }) => searchKey(words).split(' '));
  const names = searchedPeople.flatMap(({ name }) => searchKey(name).split(' '));
  const all = new Set([...real, ...names].filter((key) => key.length >= 3));
  const onsets = [
    'b',
    'bh',
    'ch',
    'd',
    'g',
    'h',
    'j',
    'k',
    'l',
    'm',
    'n',
    'p',
    'r',
    's',
    't',
    'v',
    'y',
    'tr',
  ];
  const rhymes = ['a', 'i', 'u', 'e', 'o', 'an', 'ir', 'al', 'ut', 'es', 'ai', 'om'];
  const syllables = onsets.flatMap((onset) => rhymes.map((rhyme) => onset + rhyme));
  const most = syllables.length ** 3;
  for (let n = 0; all.size < size; n += 1) {
    // The factor has no divisor in common with `most`, so that no word comes twice and neighbours are not alike.
    const place = (n * 7_368_787) % most;
    const at = (power: number) => syllables[Math.floor(place / syllables.length ** power) % syllables.length];
    all.add(`${at(0)}${at(1)}${at(2)}`);
  }
  return [...all].slice(0, size);
}

const words = 200_000;
const wordsOfReel = 8;
const tagged = 5_000;

/** A place among this many words, the first ones much more often, as in any language and among hashtags. */
const frequent = (seed: string, among = words) =>
  `floor(exp(ln(${among}) * (abs(hashtextextended(${seed}, 7)) % 1000003) / 1000003.0))::int`;

type Ends = readonly [first: number, top: number, upper: number];

/** Makes everything of a filled site searchable, by SQL and without randomness: captions of Zipf's law, and names. */
export async function fillSearch(url: string, ends: Ends = tierEnds): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create table bench_words (n integer primary key, key text not null)');
    const keys = vocabulary(words);
    await client.query(
      'insert into bench_words select n, key from unnest($1::text[]) with ordinality as w (key, n)',
      [keys],
    );
    const indexes = await takeIndexes(client, ['search_entries', 'search_words', 'work_tags']);
    for (const statement of [...statements(ends), ...indexes, 'vacuum analyze'])
      await client.query(statement);
  } finally {
    await client.end();
  }
}

const entriesOf = (kind: 'reel' | 'post', table: string) => `
  insert into search_entries (id, kind, names, words, popularity)
  select w.id, '${kind}', '', said.keys::tsvector,
    floor(exp(9 * (abs(hashtextextended(w.media_key, 3)) % 1000003) / 1000003.0))::int - 1
  from ${table} w, lateral (
    select string_agg(key || ':1A', ' ') as keys from generate_series(1, ${wordsOfReel}) k
    join bench_words on n = ${frequent('w.media_key || k')}
  ) said`;

const statements = ([first, top, upper]: Ends) => [
  'analyze bench_words',
  entriesOf('reel', 'reels'),
  entriesOf('post', 'posts'),
  `insert into search_entries (id, kind, names, words, popularity)
   select id, 'person', name_key || ' ' || username_key,
     (replace(name_key, ' ', ':1A ') || ':1A ' || username_key || ':1A')::tsvector, follower_count from people`,
  `insert into tags select gen_random_uuid(), key from bench_words where n <= ${tagged}`,
  `insert into search_entries (id, kind, names, words, popularity)
   select id, 'tag', key, (key || ':1A')::tsvector, 0 from tags`,
  `insert into work_tags
   select tags.id, 'reel', reels.id, key from reels join bench_words on n = ${frequent(`media_key || 'tag'`, tagged)}
   join tags using (key) where abs(hashtextextended(media_key, 4)) % 3 = 0 on conflict do nothing`,
  `insert into search_words
   select distinct lexeme, lexeme from search_entries, unnest(words) where kind <> 'person' and lexeme ~ '^[a-z]{3,}$'
   on conflict do nothing`,
  `update search_entries e set is_first = place <= ${first}, is_top = place <= ${top}, is_upper = true from (
     select id, row_number() over (partition by kind order by popularity desc, id desc) as place from search_entries
   ) ranked where ranked.id = e.id and place <= ${upper}`,
  // Before the indexes: see fillDatabase.
  'vacuum search_entries',
];
