import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockName } from '#server/platform/database/locks.ts';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { deleteOldMessages } from './contact.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(() => server.db.deleteFrom('messages').execute());

const contact = { userId: null, name: 'Asha', email: 'asha@people.example', text: 'नमस्ते, where is my reel?' };
const send = (path: string, payload: object, headers: Record<string, string> = {}) =>
  server.inject({ method: 'POST', url: `/api/${path}`, payload, headers });
const messages = () => server.db.selectFrom('messages').selectAll().execute();

describe('a message to the operators (specification §5, §7)', () => {
  it('is stored unchanged', async () => {
    const response = await send('contact/contact', { ...contact, phone: '+91 98' });
    expect(response.json()).toMatchObject({ status: 'ok', message: 'Message sent successfully!' });
    expect(await messages()).toMatchObject([
      { kind: 'contact', person_id: null, name: 'Asha', phone: '+91 98', text: contact.text },
    ]);
  });

  it.each(['name', 'email', 'text'])(
    'without %s says which are required, and keeps nothing',
    async (field) => {
      for (const change of [{ [field]: undefined }, { [field]: '' }, { [field]: '  ' }, { [field]: null }]) {
        const response = await send('contact/contact', { ...contact, ...change });
        expect(response.statusCode).toBe(400);
        expect(response.json().error).toBe('Please fill in all required fields (Name, Email, Message).');
        expect(response.json().field).toBe(field);
      }
      expect(await messages()).toEqual([]);
    },
  );

  it('with an invalid e-mail address is refused', async () => {
    const response = await send('contact/contact', { ...contact, email: 'asha at home' });
    expect(response.json()).toMatchObject({ error: 'Please enter a valid email address.', field: 'email' });
  });

  it('waits for nothing that has the name of its text', async () => {
    await server.db.transaction().execute(async (trx) => {
      await lockName(trx, 'operators');
      expect((await send('contact/contact', { ...contact, text: 'operators' })).statusCode).toBe(200);
    });
  });

  it('of a signed-in person is stored under their account, whatever the body says', async () => {
    const person = await signUpSomebody(server, 'Binod');
    await send(
      'contact/contact',
      { ...contact, userId: '018f0000-0000-7000-8000-000000000000' },
      person.headers,
    );
    expect(await messages()).toMatchObject([{ person_id: person.id, name: 'Binod', email: person.email }]);
  });

  it('sent twice by a double click is stored once, and a minute later again', async () => {
    await Promise.all([1, 2, 3].map(() => send('contact/contact', contact)));
    expect(await messages()).toHaveLength(1);
    server.now.value = new Date(Date.now() + 61_000);
    await send('contact/contact', contact);
    expect(await messages()).toHaveLength(2);
  });
});

it('messages are deleted after 400 days', async () => {
  await send('contact/contact', { ...contact, text: 'old' });
  const sent = server.now.value.getTime();
  for (const [days, left] of [
    [399, 1],
    [401, 0],
  ] as const) {
    await deleteOldMessages({ db: server.db, clock: () => new Date(sent + days * 86_400_000) });
    expect(await messages(), `${days}`).toHaveLength(left);
  }
});

describe('feedback (specification §5)', () => {
  it('needs no name', async () => {
    const response = await send('feedback/feed', { text: 'More kites' });
    expect(response.json()).toMatchObject({ status: 'ok', message: 'Feedback submitted successfully!' });
    expect(await messages()).toMatchObject([{ kind: 'feedback', name: '', text: 'More kites' }]);
  });

  it.each(['', '   ', '\n', undefined, null])('of %j is refused', async (text) => {
    const response = await send('feedback/feed', { name: 'Asha', text });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toBe('Please write some feedback before submitting!');
    expect(await messages()).toEqual([]);
  });
});
