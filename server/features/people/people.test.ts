import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '../../../testing/server.ts';
import { follow, unfollow } from './people.ts';

let server: TestServer;
let [asha, binod]: Person[] = [];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
});

const shown = async (person: Person | undefined) =>
  (await call(server, { url: `/api/getuser/${person?.id}` })).data;
const ids = () => [asha?.id ?? '', binod?.id ?? ''] as const;

describe('a profile (specification §7, decisions §2)', () => {
  it('shows who somebody is, and their address to nobody', async () => {
    const person = await shown(asha);
    expect(person).toMatchObject({ _id: asha?.id, username: asha?.username, followerCount: 0, reelCount: 0 });
    expect(JSON.stringify(person)).not.toContain('@');
  });

  it.each(['018f0000-0000-7000-8000-000000000000'])('of nobody says so', async (id) => {
    const response = await server.inject({ url: `/api/getuser/${id}` });
    expect(response.statusCode).toBe(404);
    expect(response.json().error).toBe('User not found');
  });

  it('of a suspended person is not there', async () => {
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', ids()[0])
      .execute();
    expect((await server.inject({ url: `/api/getuser/${asha?.id}` })).statusCode).toBe(404);
    const response = await server.inject({
      method: 'POST',
      url: '/api/userdata',
      payload: { token: asha?.token },
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('following', () => {
  it('counts once however often it is said, on both sides, and can be taken back', async () => {
    const [one, other] = ids();
    await Promise.all([1, 2, 3].map(() => follow(server.db, one, other, new Date())));
    expect(await shown(binod)).toMatchObject({ followers: [one], followerCount: 1, followingCount: 0 });
    expect(await shown(asha)).toMatchObject({ following: [other], followerCount: 0, followingCount: 1 });
    await Promise.all([1, 2, 3].map(() => unfollow(server.db, one, other)));
    expect(await shown(binod)).toMatchObject({ followers: [], followerCount: 0 });
  });

  it('each other at the same moment blocks nobody', async () => {
    const [one, other] = ids();
    const now = new Date();
    await Promise.all(
      Array.from({ length: 10 }, () => [
        follow(server.db, one, other, now),
        follow(server.db, other, one, now),
      ]).flat(),
    );
    expect(await shown(asha)).toMatchObject({ followerCount: 1, followingCount: 1 });
  });
});
