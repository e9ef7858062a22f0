import { verify } from '@node-rs/argon2';
import { openDatabase } from '#server/platform/database/database.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import { password } from './filled.ts';
import { inMilliseconds, inTurns, type Measurement, milliseconds, percent } from './harness.ts';
import { withProgram } from './program.ts';

/** Logins per measurement. */
const signIns = 8;

/** Login by password, against only checking the password: the hash is slow on purpose. */
export const signIn: Measurement = {
  name: 'sign-in',
  async run(bench) {
    const copy = await (await bench.filled()).copy();
    const db = await openDatabase(copy.url, 1);
    const people = await db.selectFrom('people').select(['email', 'password_hash']).limit(1000).execute();
    await db.destroy();
    let count = 0;
    const next = () => people[count++ % people.length] as (typeof people)[number];
    try {
      // From a new address each time, because of the rate limit of 20 a minute per address.
      return await withProgram(copy.url, behindOurProxy, async ({ origin }) => {
        const { ours, theirs, ratio } = await inTurns(
          bench.rounds,
          () => each(() => signInAt(origin, next().email, count)),
          () => each(async () => void (await verify(next().password_hash ?? '', password))),
        );
        return [
          {
            what: 'Sign-in by password',
            ours: inMilliseconds(ours),
            against: `${inMilliseconds(theirs)}, argon2 alone`,
            ratio: percent(1 / ratio),
            reach: '',
          },
        ];
      });
    } finally {
      await copy.drop();
    }
  },
};

async function each(run: () => Promise<void>): Promise<number> {
  return (
    (await milliseconds(async () => {
      for (let time = 0; time < signIns; time += 1) await run();
    })) / signIns
  );
}

async function signInAt(origin: string, email: string, count: number): Promise<void> {
  const response = await fetch(`${origin}/api/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.${count >> 8}.${count & 255}` },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`a sign-in was answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}
