import { readFile } from 'node:fs/promises';
import { type Kysely, type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newKey } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { madeReel, personIn, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { reopenMonths } from '#testing/fixtures/watching.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { auditLedger } from '../earnings/audit.ts';
import { showHistory } from '../earnings/history.ts';
import { showMonth } from '../earnings/month-detail.ts';
import { restoreContent, takeDown } from '../moderation/take-down.ts';
import { works } from '../moderation/works.ts';
import { closeMonths } from '../months/closing.ts';
import { deletePost } from '../posts-and-stories/deletion.ts';
import { publishPost, showPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { decideCopy } from './decisions.ts';

const noon = new Date('2026-11-15T06:30:00Z');
const [hour, day] = [3_600_000, 24 * 3_600_000];
const [november, december] = ['2026-11', '2026-12'];

let db: Kysely<Tables>;
let end: () => Promise<void>;
let now: Date;
beforeAll(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 2);
  end = async () => {
    await db.destroy();
    await database.drop();
  };
});
afterAll(() => end());

/** Files do not exist. */
const storage = { discard: async () => undefined, remove: async () => undefined } as never;
const context = () => ({ ...contextOn(db, { clock: () => now }), storage });
const server = { id: null, name: 'the server' };
const person = () => personIn(db, new Date('2026-09-01T00:00:00Z'));

interface Work {
  id: string;
  by: string;
}
/** Publishes a photo; the same `bytes` are the same file. */
async function publish(bytes: string, by: string): Promise<Work> {
  const fileName = await uploadedPhoto(db, by, now, bytes);
  const { id } = await publishPost(context(), by, { fileName, caption: '', description: '' });
  return { id, by };
}
const remove = ({ id, by }: Work) => deletePost(context(), id, by);
const hide = ({ id }: Work, what: 'copy' | 'content') =>
  takeDown(context(), server, { target: `post:${id}`, what, rule: 'spam', reason: 'Not yours' });
const restore = ({ id }: Work) => restoreContent(context(), server, `post:${id}`);
const decide = ({ id }: Work, verdict: 'own' | 'copy') =>
  decideCopy(
    context(),
    id,
    { verdict, reason: 'Looked at', operatorId: null },
    { works, mustSee: async () => undefined, done: async () => undefined },
  );
const monthOf = async (by: string, month = november) =>
  (await showMonth(context(), by, month, { limit: 50 })).data;
const earns = async ({ id, by }: Work) =>
  (await monthOf(by)).items.some(({ _id, publishedCoins }) => _id === id && publishedCoins > 0);

/** The rows of the table in the documentation, as objects by its columns. */
async function readTable() {
  const text = await readFile(new URL('../../../docs/copies.md', import.meta.url), 'utf8');
  const cellsOf = (line: string) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
  const [head = '', _, ...lines] = text.split('\n').filter((line) => line.startsWith('|'));
  const columns = cellsOf(head);
  return lines.map((line) => Object.fromEntries(cellsOf(line).map((cell, at) => [columns[at] ?? '', cell])));
}

describe('the table of all states (docs/copies.md)', async () => {
  const rows = await readTable();

  /** A work, and the earlier one of which it is a copy. */
  interface Scene {
    work: Work;
    original?: Work;
  }
  const alone = async (): Promise<Scene> => ({ work: await publish(newKey(), await person()) });
  const copied = async (banned = false): Promise<Scene> => {
    const bytes = newKey();
    const original = await publish(bytes, await person());
    if (banned) await hide(original, 'content');
    return { work: await publish(bytes, await person()), original };
  };
  /** A copy of what is itself a copy, and banned. */
  const copiedFromCopy = async (): Promise<Scene> => {
    const bytes = newKey();
    await publish(bytes, await person());
    const original = await publish(bytes, await person());
    await hide(original, 'content');
    return { work: await publish(bytes, await person()), original };
  };
  const events: Record<string, (scene: Scene) => Promise<unknown>> = {
    'deleted at once': ({ work }) => remove(work),
    'deleted later': ({ work }) => {
      now = new Date(noon.getTime() + day);
      return remove(work);
    },
    'taken down: copy': ({ work }) => hide(work, 'copy'),
    'taken down: content': ({ work }) => hide(work, 'content'),
    restored: ({ work }) => restore(work),
    'decided: own': ({ work }) => decide(work, 'own'),
    'decided: copy': ({ work }) => decide(work, 'copy'),
    'original deleted at once': async ({ original }) => original && remove(original),
    'original restored': async ({ original }) => original && restore(original),
  };
  const having =
    (made: () => Promise<Scene>, ...names: (keyof typeof events)[]) =>
    async (): Promise<Scene> => {
      const scene = await made();
      for (const name of names) await events[name]?.(scene);
      now = noon;
      return scene;
    };
  const ways: Record<string, () => Promise<Scene>> = {
    original: alone,
    copy: copied,
    waiting: () => copied(true),
    hidden: having(alone, 'taken down: copy'),
    'hidden copy': having(copied, 'taken down: copy'),
    banned: having(alone, 'taken down: content'),
    'banned copy': having(copied, 'taken down: content'),
    kept: having(alone, 'deleted later'),
    deleted: having(alone, 'deleted at once'),
    gone: having(copied, 'deleted at once'),
    'banned, kept': having(alone, 'taken down: content', 'deleted later'),
    'banned, deleted': having(alone, 'taken down: content', 'deleted at once'),
    'banned, gone': having(copied, 'taken down: content', 'deleted at once'),
  };

  /** What is so, as the first columns say it. */
  async function factsOf({ work }: Scene, isDeleted: boolean) {
    const isPublic = await showPost(context(), work.id, undefined).then(
      () => true,
      () => false,
    );
    const { compared } = (await db
      .selectFrom('prints')
      .select('compared')
      .where('work_id', '=', work.id)
      .executeTakeFirst()) ?? { compared: null };
    return {
      public: isPublic ? 'yes' : 'no',
      earns: isDeleted ? '' : (await earns(work)) ? 'yes' : 'no',
      compared: compared ?? 'nobody',
    };
  }
  const rowOf = (state: string) => rows.find((row) => row.state === state) ?? {};
  const expected = (state: string) => {
    const { public: isPublic, earns: does, compared } = rowOf(state);
    return { public: isPublic, earns: does, compared };
  };

  it('has a row for each state, and a column for each event', () => {
    expect(rows.map(({ state }) => state)).toEqual(Object.keys(ways));
    expect(Object.keys(rowOf('original')).slice(4)).toEqual(Object.keys(events));
  });

  it.each([
    ...Object.entries(ways).map(([state, make]) => ({ name: state, state, make })),
    { name: 'waiting, because of a banned copy', state: 'waiting', make: copiedFromCopy },
  ])('$name', async ({ state, make }) => {
    for (const [event, happen] of Object.entries(events)) {
      await reopenMonths(db);
      now = noon;
      const scene = await make();
      expect(await factsOf(scene, expected(state).earns === '')).toEqual(expected(state));
      // What is not possible is refused.
      await happen(scene).catch((error: unknown) => expect(error).toBeInstanceOf(Refusal));
      const next = rowOf(state)[event] === '–' ? state : (rowOf(state)[event] ?? '');
      expect([event, await factsOf(scene, expected(next).earns === '')]).toEqual([event, expected(next)]);
    }
    expect((await auditLedger(context())).differences).toEqual([]);
  });
});

describe('a work that is published, published again, and deleted', () => {
  type Step = 'first' | 'again' | 'delete';
  type When = 'at once' | 'after a day' | 'over the end of the month';
  /** When each step happens; a deletion over the end of the month is within a day of the publication. */
  const start = {
    'at once': noon,
    'after a day': noon,
    'over the end of the month': new Date('2026-11-30T17:30:00Z'),
  };
  const deletion = { 'at once': hour, 'after a day': day, 'over the end of the month': 2 * hour };
  const orders: Step[][] = [
    ['first', 'again', 'delete'],
    ['first', 'delete', 'again'],
    ['again', 'first', 'delete'],
  ];
  const cases = (Object.keys(start) as When[]).flatMap((when) =>
    (['the same creator', 'somebody else'] as const).flatMap((by) =>
      orders.map((order) => ({ when, by, order, name: `${order.join(', ')}; by ${by}, deleted ${when}` })),
    ),
  );

  it.each(cases)('$name', async ({ when, by, order }) => {
    await reopenMonths(db);
    const [creator, other] = [await person(), await person()];
    const [one, two] = [creator, by === 'the same creator' ? creator : other];
    const bytes = newKey();
    const works: Partial<Record<Step, Work>> = {};
    now = start[when];
    for (const [place, step] of order.entries()) {
      now = new Date(start[when].getTime() + place * 60_000);
      if (order.indexOf(step) > order.indexOf('delete'))
        now = new Date(start[when].getTime() + deletion[when] + 60_000);
      if (step === 'delete') now = new Date(start[when].getTime() + deletion[when]);
      if (step === 'first') works.first = await publish(bytes, one);
      else if (step === 'again') works.again = await publish(bytes, two);
      else if (works.first) await remove(works.first);
    }
    const duplicate = async (work?: Work) =>
      (
        await db
          .selectFrom('posts')
          .select('duplicate')
          .where('id', '=', work?.id ?? '')
          .executeTakeFirstOrThrow()
      ).duplicate;
    const isFirst = order[0] === 'again';
    // Deleted at once, a work counts against its own creator only, whatever came first: the deletion or the other publication.
    const isFree = isFirst || (when === 'at once' && by === 'somebody else');
    expect(await duplicate(works.again)).toBe(!isFree);
    now = new Date('2026-12-10T06:30:00Z');
    await closeMonths(context());
    const keeps = when === 'over the end of the month' && !isFirst;
    const coins = { first: keeps ? 2 : 0, again: isFree ? 2 : 0 };
    const totals = new Map<string, number>();
    for (const [creatorId, sum] of [
      [one, coins.first],
      [two, coins.again],
    ] as const)
      totals.set(creatorId, (totals.get(creatorId) ?? 0) + sum);
    for (const [creatorId, sum] of totals) {
      const { data } = await showHistory(context(), creatorId);
      expect(data.reduce((all, { totalCoins }) => all + totalCoins, 0)).toBe(sum);
    }
    expect((await auditLedger(context())).differences).toEqual([]);
  });
});

describe('copies of a work that is deleted at once', () => {
  it('count from their own publication: the earliest by somebody else is the original of the others', async () => {
    await reopenMonths(db);
    now = noon;
    const bytes = newKey();
    const creator = await person();
    const first = await publish(bytes, creator);
    const again = await publish(bytes, creator);
    const second = await publish(bytes, await person());
    now = new Date(noon.getTime() + 1000);
    const third = await publish(bytes, await person());
    await remove(first);
    expect(await Promise.all([again, second, third].map(earns))).toEqual([false, true, false]);
    await remove(second);
    expect(await Promise.all([again, third].map(earns))).toEqual([false, true]);
    const fourth = await publish(bytes, await person());
    expect(await earns(fourth)).toBe(false);
    expect((await auditLedger(context())).differences).toEqual([]);
  });

  it('are no originals if nobody sees them, because their creator is suspended', async () => {
    await reopenMonths(db);
    now = noon;
    const bytes = newKey();
    const first = await publish(bytes, await person());
    const second = await publish(bytes, await person());
    now = new Date(noon.getTime() + 1000);
    const third = await publish(bytes, await person());
    await db.updateTable('people').set({ suspended_at: now }).where('id', '=', second.by).execute();
    await remove(first);
    expect(await Promise.all([second, third].map(earns))).toEqual([false, true]);
    expect((await auditLedger(context())).differences).toEqual([]);
  });

  it('stay copies if a person decided that', async () => {
    await reopenMonths(db);
    now = noon;
    const bytes = newKey();
    const first = await publish(bytes, await person());
    const [second, third] = [await publish(bytes, await person()), await publish(bytes, await person())];
    await decide(second, 'copy');
    await remove(first);
    expect(await Promise.all([second, third].map(earns))).toEqual([false, true]);
  });

  it('of a closed month count in the current one, if the original is taken down as a copy', async () => {
    await reopenMonths(db);
    now = noon;
    const bytes = newKey();
    const first = await publish(bytes, await person());
    const second = await publish(bytes, await person());
    now = new Date('2026-12-10T06:30:00Z');
    await closeMonths(context());
    await hide(first, 'copy');
    expect(await monthOf(second.by, december)).toMatchObject({
      totalCoins: 2,
      decisions: [{ act: 'own', month: november, coins: 2 }],
    });
    expect((await auditLedger(context())).differences).toEqual([]);
  });
});

describe('a banned copy that is restored', () => {
  const originalOf = async ({ id }: Work) =>
    (await db.selectFrom('copies').select('original_id').where('work_id', '=', id).executeTakeFirst())
      ?.original_id;
  const isPublic = ({ id }: Work) =>
    showPost(context(), id, undefined).then(
      () => true,
      () => false,
    );
  const scene = async () => {
    await reopenMonths(db);
    now = noon;
    const bytes = newKey();
    const first = await publish(bytes, await person());
    const second = await publish(bytes, await person());
    await hide(second, 'content');
    now = new Date(noon.getTime() + 1000);
    const third = await publish(bytes, await person());
    expect([await isPublic(third), await originalOf(third)]).toEqual([false, second.id]);
    return { first, second, third };
  };

  it.each([false, true])('leaves its copies to its own original; it is deleted: %s', async (isDeleted) => {
    const { first, second, third } = await scene();
    if (isDeleted) await remove(second);
    await restore(second);
    expect(await Promise.all([first, second, third].map(earns))).toEqual([true, false, false]);
    expect([await isPublic(third), await originalOf(third)]).toEqual([true, first.id]);
    await remove(first);
    const next = isDeleted ? third : second;
    expect([await originalOf(next), await earns(next)]).toEqual([undefined, true]);
    expect((await auditLedger(context())).differences).toEqual([]);
  });

  it('becomes the original of its copies if its own was deleted at once', async () => {
    const { first, second, third } = await scene();
    await remove(first);
    await restore(second);
    expect(await Promise.all([second, third].map(earns))).toEqual([true, false]);
    expect(await originalOf(third)).toBe(second.id);
    expect((await auditLedger(context())).differences).toEqual([]);
  });

  it('lets its copies wait if its own original is banned', async () => {
    const { first, second, third } = await scene();
    await hide(first, 'content');
    await restore(second);
    expect([await isPublic(second), await isPublic(third)]).toEqual([true, false]);
    expect(await originalOf(third)).toBe(first.id);
    await restore(first);
    expect([await isPublic(third), await earns(third)]).toEqual([true, false]);
    expect((await auditLedger(context())).differences).toEqual([]);
  });
});

describe('a take-down', () => {
  const photo = async (by: string) => ({ fileName: await uploadedPhoto(db, by, now, newKey()) });
  const made = {
    reel: (by: string) => madeReel(contextAt(db, now), by, {}),
    post: async (by: string) => (await publish(newKey(), by)).id,
    story: async (by: string) =>
      (await publishStory(context(), by, { ...(await photo(by)), statusText: '' })).id,
  };

  it.each(['reel', 'post', 'story'] as const)(
    'of the content of a %s is applied after one of the copy, and not the other way round',
    async (kind) => {
      await reopenMonths(db);
      now = noon;
      const id = await made[kind](await person());
      const target = `${kind}:${id}`;
      const down = (what: 'copy' | 'content', reason: string) =>
        takeDown(context(), server, { target, what, rule: 'spam', reason });
      const compared = async () =>
        (await db.selectFrom('prints').select('compared').where('work_id', '=', id).executeTakeFirstOrThrow())
          .compared;
      expect(await down('copy', 'Not yours')).toMatchObject({ takenDown: 'Not yours', changed: true });
      expect(await compared()).toBe('creator');
      expect(await down('content', 'An insult')).toMatchObject({ takenDown: 'An insult', changed: true });
      expect(await compared()).toBe('banned');
      for (const what of ['copy', 'content'] as const)
        expect(await down(what, 'Again')).toMatchObject({ takenDown: 'An insult', changed: false });
      expect(await compared()).toBe('banned');
      expect(await restoreContent(context(), server, target)).toMatchObject({
        takenDown: null,
        changed: true,
      });
      expect(await compared()).toBe('everybody');
    },
  );
});

it('an account with many works is deleted without reading all their prints at once', async () => {
  await reopenMonths(db);
  now = noon;
  const creator = await person();
  await publish(newKey(), creator);
  await changeWorks(db, (trx) =>
    sql`with made as (
      insert into posts (id, creator_id, media_key, sha256, duplicate, placeholder, width, height, widths, published_at, caption, description)
      select gen_random_uuid(), creator_id, media_key || n, sha256, false, placeholder, width, height, widths, published_at, '', ''
      from posts, generate_series(1, 250) n where creator_id = ${creator} returning id, creator_id
    ) insert into prints (work_id, creator_id, kind, sha256, compared, number)
      select id, creator_id, 'post', sha256(id::text::bytea), 'everybody',
        (select max(number) from prints) + row_number() over () from made`.execute(trx),
  );
  const counts: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.some((row) => 'print' in row)) counts.push(result.rows.length);
      return result;
    },
  };
  now = new Date('2026-12-10T06:30:00Z');
  await deleteAccount({ ...contextAt(db, now), db: db.withPlugin(counting) }, creator, creator);
  expect(counts.reduce((all, count) => all + count, 0)).toBe(251);
  expect(Math.max(...counts)).toBeLessThanOrEqual(100);
  const { rows } =
    await sql`select from prints where creator_id = ${creator} and compared = 'everybody'`.execute(db);
  expect(rows).toHaveLength(251);
});
