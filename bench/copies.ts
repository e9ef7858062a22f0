import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import sharp from 'sharp';
import { deleteKeys, deletePrint, findCandidates, lastNumber } from '#server/features/prints/prints.ts';
import { comparerOf, keysOf, searchesOf, storedPart } from '#server/media/prints/any-print.ts';
import { decodePrint, type Spot } from '#server/media/prints/picture-print.ts';
import { printOf } from '#server/media/tasks/print.ts';
import { watch } from '#server/media/tasks/watch.ts';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { changes } from '#testing/copies/changes.ts';
import { drawReel, reelChanges, saveReel } from '#testing/copies/reels.ts';
import { fabric, photoFrom } from '#testing/copies/templates.ts';
import { card, scene } from '#testing/copies/works.ts';
import { randomFrom } from '#testing/random.ts';
import type { Measurement, Row } from './harness.ts';

/**
 * `WORKS`: originals that are published again with changes; one in ten is a reel. `UPLOADS`: new works. `ROWS`: other works in the
 * database. To measure in parts: `REELS=0` or `WORKS=0` leaves out one kind, `FROM` skips the first works, and `FOLDER` stores the
 * database for the next run.
 */
const works = Number(process.env.WORKS ?? 1000);
const reels = Number(process.env.REELS ?? Math.ceil(works / 10));
const uploads = Number(process.env.UPLOADS ?? works);
const rows = Number(process.env.ROWS ?? 1_000_000);
const from = Number(process.env.FROM ?? 0);
/** As many works of each search are compared as in production. */
const compared = 16;
const [poolSize, spotsOfPicture] = [60, 65];

/**
 * The share of copies found by kind of change, the number of new works that are called copies, and the duration of a look-up among this
 * many works whose keys are drawn from those of real ones. Everything is drawn from seeds.
 */
export const copies: Measurement = {
  name: 'copies',
  async run({ say }) {
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-bench-'));
    const kept = process.env.FOLDER ? join(process.env.FOLDER, `${rows}`) : folder;
    const postgres = await startEmbeddedPostgres({
      directory: join(kept, 'postgres'),
      say: () => undefined,
      settings: {
        fsync: 'off',
        synchronous_commit: 'off',
        shared_buffers: '1GB',
        maintenance_work_mem: '512MB',
      },
    });
    const db = await openDatabase(postgres.url);
    try {
      await migrate(db);
      const background = await fill(db, say);
      const site = openSite(db, background);
      const found = works + reels > 0 ? await changedCopies(site, folder, say) : [];
      const mistaken = uploads > 0 ? await newWorks(site, say) : [];
      return [
        ...found,
        ...mistaken,
        ...lookUps('picture', site.times.picture),
        ...lookUps('reel', site.times.reel),
      ];
    } finally {
      await db.destroy();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const printOfPicture = async (picture: Buffer) =>
  Buffer.from((await printOf(sharp(picture))) ?? '', 'base64');

/** Works of other people: their keys are drawn from the spots of real pictures, with some random bits; their prints are those pictures. */
async function fill(db: Kysely<Tables>, say: (line: string) => void): Promise<Buffer[]> {
  const pool: Buffer[] = [];
  for (let place = 0; place < poolSize; place += 1) {
    const random = randomFrom(50_000 + place);
    pool.push(await printOfPicture(await (place % 4 === 0 ? card(random, random) : scene(random))));
  }
  if ((await lastNumber(db)) >= rows) {
    await removePublished(db);
    return pool;
  }
  const spots = pool.flatMap((print) => decodePrint(print).spots.filter(({ size }) => size < 1));
  say(`  ${rows} works …`);
  // One connection without a statement timeout.
  await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one);
    await one.transaction().execute(async (trx) => {
      await fillKeys(trx, spots);
      await sql`
        insert into prints (creator_id, work_id, kind, compared, number, sha256, print)
        select gen_random_uuid(), gen_random_uuid(), 'post', 'everybody', number, int8send(number), int4send((number % ${pool.length})::int)
        from generate_series(1, ${rows}::bigint) number`.execute(trx);
    });
    await sql`vacuum analyze print_keys`.execute(one);
    await sql`vacuum analyze prints`.execute(one);
    await sql`reset statement_timeout`.execute(one);
  });
  return pool;
}

/** The works that the previous run published. */
async function removePublished(db: Kysely<Tables>): Promise<void> {
  const published = await db
    .selectFrom('prints')
    .select(['work_id', 'number', 'print'])
    .where('number', '>', rows)
    .execute();
  for (const { work_id, number, print } of published)
    await inTransaction(db, async (trx) => {
      if (number && print) await deleteKeys(trx, number, keysOf(print));
      await deletePrint(trx, work_id);
    });
}

async function fillKeys(db: Kysely<Tables>, spots: readonly Pick<Spot, 'key' | 'weak'>[]): Promise<void> {
  await sql`create unlogged table pool (place int primary key, key bigint, weak int[])`.execute(db);
  for (let at = 0; at < spots.length; at += 5000) {
    const some = spots.slice(at, at + 5000).map(({ key, weak }, place) => ({ place: at + place, key, weak }));
    await sql`
      insert into pool select (one->>'place')::int, (one->>'key')::bigint,
        array(select jsonb_array_elements_text(one->'weak')::int)
      from jsonb_array_elements(${JSON.stringify(some)}::jsonb) one`.execute(db);
  }
  await sql`alter table print_keys drop constraint print_keys_pkey`.execute(db);
  // Each bit is also inverted with a probability of 1/32, otherwise thousands of works would share each key.
  await sql`
    insert into print_keys (key, number)
    select key # ((hash & 1) << weak[1]) # ((hash >> 1 & 1) << weak[2]) # ((hash >> 2 & 1) << weak[3])
      # (bits & (bits >> 5) & (bits >> 11) & (bits >> 17) & (bits >> 23) & 4294967295), number
    from generate_series(1, ${rows}::bigint) number cross join generate_series(1, ${spotsOfPicture}) at
    cross join lateral (
      select abs(hashint8(number * 67 + at)::bigint) as hash, hashint8extended(number * 67 + at, 5) & 9223372036854775807 as bits
    ) drawn
    join pool on place = (hash >> 3) % ${spots.length}`.execute(db);
  await sql`create index print_keys_found on print_keys (key, number)`.execute(db);
}

type Site = ReturnType<typeof openSite>;

/** A site on which works are looked up, compared and published, as `server/features/copies` does. */
function openSite(db: Kysely<Tables>, background: readonly Buffer[]) {
  const times = { picture: [] as number[], reel: [] as number[] };
  let number = rows;
  const visitor = newId(new Date());
  const printOfRow = (print: Buffer) => (print.length === 4 ? background[print.readUInt32BE()] : print);
  return {
    times,
    /** The number of the original that the site finds for this print; undefined if it finds none. */
    async find(what: 'picture' | 'reel', print: Buffer): Promise<string | undefined> {
      const start = performance.now();
      const candidates = await findCandidates(
        db,
        { searches: searchesOf(print), creatorId: visitor },
        compared,
      );
      times[what].push(performance.now() - start);
      const isCopyOf = comparerOf(print);
      return candidates.find((one) => isCopyOf(printOfRow(one.print) ?? one.print))?.work_id;
    },
    async publish(print: Buffer): Promise<string> {
      number += 1;
      const [creator_id, work_id] = [newId(new Date()), newId(new Date())];
      const kept = storedPart(print);
      await db
        .insertInto('prints')
        .values({
          ...{ creator_id, work_id, kind: 'post', compared: 'everybody', number },
          ...{ sha256: Buffer.from(work_id), print: kept },
        })
        .execute();
      await sql`insert into print_keys select key, ${number}::bigint from unnest(${keysOf(kept)}::bigint[]) key`.execute(
        db,
      );
      return work_id;
    },
  };
}

async function changedCopies(site: Site, folder: string, say: (line: string) => void): Promise<Row[]> {
  const pictures = new Map<string, Found>();
  const reelsFound = new Map<string, Found>();
  const note = (to: Map<string, Found>, kind: string, isFound: boolean) => {
    const { found, of } = to.get(kind) ?? { found: 0, of: 0 };
    to.set(kind, { found: found + Number(isFound), of: of + 1 });
  };
  for (let work = 0; work < works - reels; work += 1) {
    const picture = await scene(randomFrom(from + work + 1));
    const id = await site.publish(await printOfPicture(picture));
    for (const [kind, change] of Object.entries(changes))
      note(pictures, kind, (await site.find('picture', await printOfPicture(await change(picture)))) === id);
    if (work % 50 === 49) say(`  ${work + 1} pictures, each changed in ${pictures.size} ways …`);
  }
  const path = join(folder, 'reel.mp4');
  const printOfReel = async () =>
    Buffer.from((await watch({ path, container: 'mov' })).print ?? '', 'base64');
  for (let work = 0; work < reels; work += 1) {
    const drawn = await drawReel(randomFrom(from + work + 1));
    await saveReel(path, drawn);
    const id = await site.publish(await printOfReel());
    for (const [kind, change] of Object.entries(reelChanges)) {
      await saveReel(path, drawn, change);
      note(reelsFound, kind, (await site.find('reel', await printOfReel())) === id);
    }
    if (work % 10 === 9) say(`  ${work + 1} reels, each changed in ${reelsFound.size} ways …`);
  }
  for (const [of, kinds] of [
    ['picture', pictures],
    ['reel', reelsFound],
  ] as const)
    for (const [kind, one] of kinds) say(`  ${of} ${kind}: ${one.found} of ${one.of}`);
  const all = [...pictures.values(), ...reelsFound.values()];
  const sum = { found: 0, of: 0 };
  for (const { found, of } of all) Object.assign(sum, { found: sum.found + found, of: sum.of + of });
  return [
    foundRow('copies found', sum, 0.9),
    ...leastOf('picture', pictures),
    ...leastOf('reel', reelsFound),
  ];
}

interface Found {
  found: number;
  of: number;
}

/** The kind of change of which the smallest share of copies is found. */
function leastOf(what: string, kinds: ReadonlyMap<string, Found>): Row[] {
  const share = ({ found, of }: Found) => found / of;
  const [least] = [...kinds].sort(([, one], [, other]) => share(one) - share(other));
  return least ? [foundRow(`worst kind of change, ${what}: ${least[0]}`, least[1], 0.7)] : [];
}

function foundRow(what: string, { found, of }: Found, reach: number): Row {
  const share = found / of;
  return {
    what,
    ours: `${found} of ${of}`,
    against: '',
    ratio: `${Math.round(share * 1000) / 10} %`,
    reach: `≥ ${reach * 100} %`,
    holds: share >= reach,
  };
}

/**
 * Works of other people: half of them cards of ten templates, a fifth photos of places that were photographed before, a tenth regular
 * pictures.
 */
async function newWorks(site: Site, say: (line: string) => void): Promise<Row[]> {
  const mistaken = { card: 0, 'second photo': 0, cloth: 0, scene: 0 };
  const published = { ...mistaken };
  for (let upload = 0; upload < uploads; upload += 1) {
    const [kind, picture] = await newWork(upload);
    const print = await printOfPicture(picture);
    if (await site.find('picture', print)) {
      mistaken[kind] += 1;
      say(`  new work ${upload}, a ${kind}, is called a copy`);
    }
    published[kind] += 1;
    await site.publish(print);
    if (upload % 200 === 199) say(`  ${upload + 1} new works …`);
  }
  const sum = Object.values(mistaken).reduce((all, one) => all + one, 0);
  for (const kind of ['card', 'second photo', 'cloth', 'scene'] as const)
    say(`  ${kind}: ${mistaken[kind]} of ${published[kind]} called copies`);
  return [
    {
      what: `new works that are called copies, among ${rows.toLocaleString('en')}`,
      ours: `${sum} of ${uploads}`,
      against: '',
      ratio: '',
      reach: '≤ 1 of 1,000',
      holds: sum <= uploads / 1000,
    },
  ];
}

async function newWork(upload: number): Promise<['card' | 'second photo' | 'cloth' | 'scene', Buffer]> {
  const random = randomFrom(100_000 + upload);
  const place = Math.floor(upload / 10);
  if (upload % 2 === 0) return ['card', await card(randomFrom(300 + (place % 10)), random)];
  if (upload % 10 === 1) return ['scene', await scene(randomFrom(200_000 + place))];
  if (upload % 10 === 3 || upload % 10 === 5)
    return ['second photo', await photoFrom(upload % 10 === 3 ? -1 : 1, randomFrom(200_000 + place), random)];
  return upload % 10 === 7 ? ['cloth', await fabric(random)] : ['scene', await scene(random)];
}

function lookUps(of: string, times: readonly number[]): Row[] {
  if (times.length === 0) return [];
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return [
    {
      what: `lookup of a ${of} among ${rows.toLocaleString('en')} works, 95th percentile`,
      ours: `${at(0.95).toFixed(0)} ms`,
      against: `${at(0.5).toFixed(0)} ms, the median`,
      ratio: '',
      reach: '≤ 50 ms',
      holds: at(0.95) <= 50,
    },
  ];
}
