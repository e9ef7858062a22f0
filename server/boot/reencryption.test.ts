import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { listKeys, retireKeys, rotateKeys } from '#server/platform/keyring/keyring.ts';
import { reencrypt } from '#server/platform/keyring/reencryption.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { madeBatch } from '#testing/fixtures/payouts.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { call, type Person, signUpSomebody, type TestServer } from '#testing/servers/test-server.ts';
import { sealedColumns } from './sealed-columns.ts';

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
let asha: Person;
let folder: string;
beforeEach(async () => {
  mailing = await startMailingServer();
  ({ server } = mailing);
  folder = join(server.dataDir, 'keys');
  asha = await signUpSomebody(server);
  const notice = { act: 'new_device', values: { device: 'Firefox on Linux' } } as const;
  await inTransaction(server.db, (trx) => server.context.outbox.sendNotice(trx, asha.id, notice, new Date()));
  // Reported by another mail, which has a value, too.
  const payload = { kind: 'upi', vpa: 'asha@okaxis' };
  const put = { method: 'PUT', url: '/api/payout/destination', payload, headers: asha.headers } as const;
  expect((await server.inject(put)).statusCode).toBe(200);
  const { id } = await requestedWithdrawal(server, asha.id, '2025-01');
  await server.db.updateTable('people').set({ email_verified_at: new Date() }).execute();
  await server.db.updateTable('payout_destinations').set({ held_until: null }).execute();
  await madeBatch(server, id, 'proposed');
});
/** The network of the session, the values of three mails, the destination, and that of an attempt. */
const all = 6;
afterEach(() => mailing.close());

async function rotate(): Promise<void> {
  await inTransaction(server.db, (trx) => rotateKeys(trx, folder, () => undefined));
  await server.keyring.refresh();
}
const tomorrow = () => new Date(Date.now() + 25 * 60 * 60 * 1000);
const retire = (now = tomorrow()) => retireKeys(server.db, folder, now);
const encryptAgain = () => reencrypt(server.context, sealedColumns);
const again = async () => (await encryptAgain()).values;

/** Number of values encrypted with each version. */
async function versions(): Promise<Record<string, number>> {
  const { rows } = await sql<{ version: string; count: number }>`
    select encode(substring(value from 1 for 4), 'hex') as version, count(*)::int as count
    from (select network as value from sessions union all select parameters from mails
      union all select details from payout_destinations union all select destination from payout_attempts) values
    where value is not null group by 1`.execute(server.db);
  return Object.fromEntries(rows.map(({ version, count }) => [Number(version), count]));
}
const networks = async () =>
  (await call(server, { url: '/api/sessions', headers: asha.headers })).data.map(
    ({ network }: { network: string }) => network,
  );

describe('after a rotation of keys', () => {
  it('values are encrypted with the newest key, stay readable, and the older key can be retired', async () => {
    const before = await networks();
    expect(before).toEqual(['127.1.0.0/16']);
    expect(await versions()).toEqual({ 1: all });
    expect(await again()).toBe(0);
    await rotate();
    await expect(retire()).rejects.toThrow('The column mails.parameters has values');
    expect(await again()).toBe(all);
    expect(await versions()).toEqual({ 2: all });
    expect(await again()).toBe(0);
    await expect(retire(new Date())).rejects.toThrow('less than a day');
    expect(await retire()).toEqual([1]);
    expect(await retire()).toEqual([]);
    await server.keyring.refresh();
    expect(await networks()).toEqual(before);
    const destination = await call(server, { url: '/api/payout/destination', headers: asha.headers });
    expect(destination.data.masked).toBe('as•••@okaxis');
    await mailing.sendAll(tomorrow());
    expect(mailing.smtp.mails.map(({ text }) => text).join()).toContain('Firefox on Linux');
  });

  it('an interrupted job continues where it stopped', async () => {
    await rotate();
    const cut = new AbortController();
    const write = sealedColumns[0]?.write;
    const [first, ...rest] = sealedColumns;
    if (!first || !write) throw new Error('there is no column');
    const cutting = {
      ...first,
      write: async (...value: Parameters<typeof write>) => {
        await write(...value);
        cut.abort(new Error('cut off'));
      },
    };
    await expect(reencrypt(server.context, [cutting, ...rest], cut.signal)).rejects.toThrow('cut off');
    expect(await versions()).toEqual({ 1: all - 1, 2: 1 });
    expect(await again()).toBe(all - 1);
  });

  it('values of a lost key do not change, and prevent that key from being retired', async () => {
    await rotate();
    await server.db
      .updateTable('keyring_keys')
      .set({ lost_at: new Date() })
      .where('version', '=', 1)
      .where('name', '=', 'data')
      .execute();
    await server.keyring.refresh();
    expect(await again()).toBe(0);
    expect(await versions()).toEqual({ 1: all });
    await expect(retire()).rejects.toThrow('has values that only an older key decrypts');
  });

  it('a value that its key does not decrypt does not change, is reported, and does not stop the others', async () => {
    const binod = await signUpSomebody(server);
    await rotate();
    await server.db
      .updateTable('sessions')
      .set({
        network: sql<Buffer>`set_byte(network, length(network) - 1, get_byte(network, length(network) - 1) # 1)`,
      })
      .where('person_id', '=', asha.id)
      .execute();
    const unreadable = [{ kind: 'session_network', count: 1, people: [asha.id] }];
    // Plus the network of Binod's session.
    expect(await encryptAgain()).toEqual({ values: all, unreadable });
    expect(await versions()).toEqual({ 1: 1, 2: all });
    expect(await encryptAgain()).toEqual({ values: 0, unreadable });
    const older = (await listKeys(server.db)).filter(({ name, version }) => name === 'data' && version === 1);
    expect(older).toMatchObject([{ state: 'kept for what it encrypted', left: { 'sessions.network': 1 } }]);
    await expect(retire()).rejects.toThrow('The column sessions.network has values');
    const { data } = await call(server, { url: '/api/sessions', headers: binod.headers });
    expect(data).toMatchObject([{ network: expect.stringMatching(/^127\.1\./) }]);
  });
});
