import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { changes } from '#testing/copies/changes.ts';
import { scene } from '#testing/copies/works.ts';
import { publishReel } from '#testing/fixtures/reels.ts';
import { randomFrom } from '#testing/random.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import * as queries from './catch-up.queries.ts';
import { catchUpPrints, giveUpPrint, printWork } from './catch-up.ts';
import { deletePrint, listPrints } from './copies.queries.ts';

let server: TestServer;
let creator: Person;
beforeAll(async () => {
  server = await startTestServer();
  creator = await signUpSomebody(server);
});
afterAll(() => server.close());

const signal = new AbortController().signal;
const idle = () => false;

async function publish(picture: Buffer, by: Person) {
  const { payload, headers } = await multipart(new Uint8Array(picture), 'file', 'a.jpg', 'image/jpeg');
  const sent = { method: 'POST' as const, headers: { ...headers, ...by.headers } };
  const { fileName } = await call(server, { ...sent, url: '/api/s3Post/uploadPosts', payload });
  return await call(server, { ...sent, url: '/api/post/add', headers: by.headers, payload: { fileName } });
}
/** The state before there were prints. */
async function withoutPrint(work: queries.Unprinted): Promise<void> {
  await inTransaction(server.db, async (trx) => {
    for (const { number } of await listPrints(trx, { creatorId: work.ownerId }, 100))
      await deletePrint(trx, number, []);
    await trx.deleteFrom('print_keys').execute();
    const { kind, id: work_id, ownerId: creator_id } = work;
    await trx.insertInto('unprinted_works').values({ kind, work_id, creator_id }).execute();
  });
}
const printsOf = async (id: string) =>
  (await server.db.selectFrom('prints').select('kind').where('work_id', '=', id).execute()).map(
    ({ kind }) => kind,
  );

it('a photo and a reel from before prints get one when the machine is idle, once, and their copies are then found', async () => {
  const picture = await scene(randomFrom(41));
  const { data: post } = await publish(picture, creator);
  const reel = await publishReel(server, creator);
  const works = [
    { kind: 'post', id: post._id, ownerId: creator.id },
    { kind: 'reel', id: reel, ownerId: creator.id },
  ] as const;
  for (const work of works) await withoutPrint(work);
  expect(await catchUpPrints(server.context, [], () => true)).toBe(0);
  expect(await queries.listUnprinted(server.db, 10)).toHaveLength(2);
  for (const data of works) {
    for (const times of [1, 2]) {
      await printWork(server.context, { data, signal });
      expect([data.kind, times, await printsOf(data.id)]).toEqual([data.kind, times, [data.kind]]);
    }
  }
  expect(await catchUpPrints(server.context, [], idle)).toBe(0);
  const { copy } = await publish(
    (await changes.mirrored?.(picture)) ?? picture,
    await signUpSomebody(server),
  );
  expect(copy.of._id).toBe(post._id);
  expect(
    await server.db.selectFrom('copies').select('work_id').where('work_id', 'in', [post._id, reel]).execute(),
  ).toEqual([]);
});

it('a work that was deleted in the meantime, or that cannot be decoded, gets none and is removed from the list', async () => {
  const { data: post } = await publish(await scene(randomFrom(42)), creator);
  const work = { kind: 'post', id: post._id, ownerId: creator.id } as const;
  await withoutPrint(work);
  await call(server, { method: 'DELETE', url: `/api/post/deletePost/${post._id}`, headers: creator.headers });
  await printWork(server.context, { data: work, signal });
  expect(await printsOf(post._id)).toEqual([]);
  expect(await queries.listUnprinted(server.db, 10)).toEqual([]);
  await withoutPrint(work);
  await giveUpPrint(server.db, work);
  expect(await queries.listUnprinted(server.db, 10)).toEqual([]);
});
