import { expect, it } from 'vitest';
import { openClients } from './clients.ts';

const from = (token: string) => ({ authorization: `Bearer ${token}` });
const session = { id: 'one', openedAt: new Date(), issuer: null, factorAt: null };
const opened = () =>
  openClients(async (token) =>
    token.startsWith('good') ? { id: 'asha', role: 'person' as const, session } : undefined,
  );

it('a token identifies a client only after it was valid once', async () => {
  const clients = opened();
  const visitor = clients.clientOf({}, '10.1.2.3');
  expect(clients.clientOf(from('good'), '10.1.2.3')).toEqual(visitor);
  expect(await clients.findCaller('made-up', '127.0.0.1')).toBeUndefined();
  expect(clients.clientOf(from('made-up'), '10.1.2.3')).toEqual(visitor);
  expect(await clients.findCaller('good', '127.0.0.1')).toMatchObject({ id: 'asha' });
  expect(clients.clientOf(from('good'), '10.1.2.3')).not.toEqual(visitor);
});

it('one person is one client in a network, with whichever of their tokens', async () => {
  const clients = opened();
  await Promise.all([
    clients.findCaller('good one', '127.0.0.1'),
    clients.findCaller('good-two', '127.0.0.1'),
    clients.findCaller('good-one', '127.0.0.1'),
  ]);
  expect(clients.clientOf(from('good-one'), '2001:db8::1')).toEqual(
    clients.clientOf(from('good-two'), '2001:db8:0:9::1'),
  );
});

it('a /48 of IPv6 addresses is one group, and each /64 in it a client', () => {
  const clients = opened();
  const [one, other] = ['2001:db8:1:1::1', '2001:db8:1:2::1'].map((address) => clients.clientOf({}, address));
  expect(one?.slice(0, -1)).toEqual(other?.slice(0, -1));
  expect(one).not.toEqual(other);
  expect(clients.clientOf({}, '2001:db8:1:1::2')).toEqual(one);
});
