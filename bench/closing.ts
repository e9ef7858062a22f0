import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeMonths } from '#server/features/months/closing.ts';
import { viewerOfPerson } from '#server/features/views/viewers.ts';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import { contextAt, keyringOfTests } from '#testing/context.ts';
import { runStatements } from '#testing/servers/statements.ts';
import { type Measurement, milliseconds, type Row, times } from './harness.ts';

const [small, large] = [10_000, 1_000_000];
const month = '2026-10';
/** After the end of the month in India, and the quarter of an hour in which its last events arrive. */
const afterwards = new Date('2026-10-31T19:00:00Z');
const mostMinutes = 15;

/** Closing the month of a million creators, from the first transaction to the last result. */
export const closing: Measurement = {
  name: 'closing',
  async run({ say }) {
    const directory = await mkdtemp(join(tmpdir(), 'jhalak-closing-'));
    // Nothing here has to survive a crash.
    const settings = { fsync: 'off', max_wal_size: '2GB', maintenance_work_mem: '256MB' };
    const postgres = await startEmbeddedPostgres({ directory, say: () => undefined, settings });
    try {
      const taken = new Map<number, number>();
      for (const creators of [small, large]) {
        say(`Filling a month of ${creators.toLocaleString('en')} creators …`);
        taken.set(creators, await closeFilled(postgres.url, creators));
      }
      return [rowOf(taken.get(large) ?? Number.NaN, taken.get(small) ?? Number.NaN)];
    } finally {
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    }
  },
};

function rowOf(ours: number, theirs: number): Row {
  const minutes = ours / 60_000;
  return {
    what: `Closing a month of ${large.toLocaleString('en')} creators`,
    ours: `${minutes.toFixed(1)} min`,
    against: `${(theirs / 1000).toFixed(1)} s for ${small.toLocaleString('en')}`,
    ratio: times(ours / theirs),
    reach: `≤ ${mostMinutes} min`,
    holds: minutes <= mostMinutes,
  };
}

async function closeFilled(server: string, creators: number): Promise<number> {
  const url = new URL(server);
  url.pathname = `/closing_${creators}`;
  await runStatements(server, `create database closing_${creators}`);
  const db = await openDatabase(url.href, 4);
  try {
    await migrate(db);
    await runStatements(url.href, ...filling(creators), 'vacuum analyze');
    const took = await milliseconds(() => closeMonths(contextAt(db, afterwards)));
    const { count } = await db
      .selectFrom('month_results')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('month', '=', month)
      .where('paid_views', '>', 0)
      .executeTakeFirstOrThrow();
    if (Number(count) !== creators) throw new Error(`${count} of ${creators} creators are paid for views`);
    return took;
  } finally {
    await db.destroy();
  }
}

const uuid = (kind: string, n: string) => `md5('${kind}' || ${n})::uuid`;

/**
 * A tenth as many accounts as creators, each of which watched ten creators on four days; every creator has ten single views of the month, of
 * five networks, and one photo with two likes.
 */
function filling(creators: number): string[] {
  const accounts = creators / 10;
  const ids = Array.from({ length: accounts }, (_, n) => idOf(n));
  const secret = keyringOfTests.secret('viewers');
  const hashes = ids.map((id) => viewerOfPerson(secret, id).toString('hex'));
  // Each creator is watched by one account, ten times.
  const watchedBy = `(c % ${accounts})`;
  return [
    'set session_replication_role = replica',
    `create temporary table accounts as
       select (n - 1)::int as n, id::uuid, decode(viewer, 'hex') as viewer
       from unnest('{${ids.join()}}'::text[], '{${hashes.join()}}'::text[]) with ordinality as a (id, viewer, n)`,
    'create unique index on accounts (n)',
    `insert into people (id, name, name_key, username, username_key, look_key, email, email_key, email_verified_at, created_at)
       select id, 'Asha', 'asha', 'a' || n, 'a' || n, 'a' || n, 'a' || n || '@people.example', 'a' || n || '@people.example',
         '2025-01-01', timestamptz '2025-01-01' + n * interval '5 minutes' from accounts`,
    `insert into months (month, views_per_creator, views_in_all) values ('${month}', 200, 20000)`,
    `insert into viewer_months (month, viewer, views, creators, days) select '${month}', viewer, 100, 10, 15 from accounts`,
    `insert into active_people (month, person_id) select '${month}', id from accounts`,
    `insert into creator_viewers (creator_id, month, viewer)
       select ${uuid('creator', 'c')}, '${month}', viewer from generate_series(0, ${creators - 1}) c join accounts a on a.n = ${watchedBy}`,
    `insert into creator_months (creator_id, month, reels, posts, stories, views, likes, view_rows)
       select ${uuid('creator', 'c')}, '${month}', 1 + c % 40, 1, 0, 10 + c % 400, 2, 10 from generate_series(0, ${creators - 1}) c`,
    `insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
       select ${uuid('creator', 'c')}, date '2026-10-01' + k, ${uuid('reel', 'c')}, viewer, true, decode(md5('network' || k % 5), 'hex'),
         timestamptz '2026-10-01' + k * interval '1 day', timestamptz '2026-10-01' + k * interval '1 day' + interval '9 seconds', 'counted'
       from generate_series(0, ${creators - 1}) c join accounts a on a.n = ${watchedBy}, generate_series(0, 9) k`,
    `insert into posts (id, creator_id, media_key, caption, description, sha256, placeholder, width, height, widths, published_at)
       select ${uuid('post', 'c')}, ${uuid('creator', 'c')}, 'post' || c, '', '', decode(md5('post' || c), 'hex'), '', 720, 720, '{720}',
         '2026-10-05' from generate_series(0, ${creators - 1}) c`,
    `insert into post_likes (post_id, person_id, liked_at, creator_id)
       select ${uuid('post', 'c')}, id, '2026-10-06', ${uuid('creator', 'c')} from generate_series(0, ${creators - 1}) c cross join generate_series(0, 1) k
       join accounts a on a.n = (c + k) % ${accounts}`,
  ];
}

function idOf(n: number): string {
  return `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
}
