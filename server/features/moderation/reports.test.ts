import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
let postId: string;
beforeAll(async () => {
  server = await startTestServer();
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
  postId = await publishPicture(server.db, server.dataDir, asha.id, 'A photo', new Date());
});
afterAll(() => server.close());

const report = (change: object = {}, person: Person = binod) =>
  server.inject({
    method: 'POST',
    url: '/api/report',
    headers: person.headers,
    payload: { kind: 'post', id: postId, reason: 'spam', ...change },
  });
const stored = () => server.db.selectFrom('reports').selectAll().execute();

describe('reporting content that breaks the policy (decisions §5)', () => {
  it('is stored once for a person and thing, however often it is repeated', async () => {
    await Promise.all([report(), report(), report({ reason: 'other' })]);
    await report({ kind: 'person', id: asha.id, text: 'A bot.' });
    expect(await stored()).toMatchObject([
      { kind: 'post', target_id: postId, reporter_id: binod.id },
      { kind: 'person', target_id: asha.id, text: 'A bot.' },
    ]);
  });

  it.each([
    [{ id: '018f0000-0000-7000-8000-000000000000' }, 404],
    [{ kind: 'reel' }, 404],
    [{ kind: 'planet' }, 400],
    [{ reason: 'dull' }, 400],
    [{ id: 'x' }, 400],
  ])('%j is refused', async (change, status) => {
    const before = await stored();
    expect((await report(change)).statusCode).toBe(status);
    expect(await stored()).toEqual(before);
  });

  it('of own content is refused', async () => {
    expect((await report({}, asha)).json().error).toBe('You cannot report your own content.');
  });
});
