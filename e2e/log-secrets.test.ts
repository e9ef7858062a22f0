import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { freshClip } from '#testing/fixtures/reels.ts';
import { startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

/*
 * At the most detailed log level, people use the site and errors happen: no secret of a person is in the log.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let issuer: TestIssuer;
let program: Program;
beforeAll(async () => {
  [data, database, issuer] = await Promise.all([dataFolder(), freshDatabase(), startIssuer()]);
  program = await startProgram({
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'trace',
    OIDC_ISSUER: issuer.name,
    OIDC_CLIENT_ID: testClientId,
  });
});
afterAll(async () => {
  await program?.stop();
  await Promise.all([data?.remove(), database?.drop(), issuer?.close()]);
});

const secrets = new Map<string, string>();
/** Records a secret with its name, and returns it. */
function secret(what: string, value: string): string {
  secrets.set(what, value);
  return value;
}

async function ask(
  path: string,
  { token = '', body = undefined as object | string | undefined, method = 'POST' } = {},
) {
  const response = await fetch(`${program.origin}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      cookie: `lang=en; session=${secret('a cookie', 'c00kie-of-somebody')}`,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json().catch(() => ({})) };
}

it('the log holds no password, token, cookie, nonce, address or key', async () => {
  secret('the password of the database', new URL(database.url).password);
  const email = secret('an e-mail address', 'very.private@people.example');
  const password = secret('a password', 'correct-horse-battery');
  const wrong = secret('a mistyped password', 'correct-hoarse-battery');
  const newPassword = secret('a new password', 'staple-of-the-horse');
  const person = { name: 'Asha', username: 'asha', email, password, cpassword: password };
  expect((await ask('/api/signup', { body: person })).status).toBe(200);
  await ask('/api/signup', { body: person });
  await ask('/api/signin', { body: { email, password: wrong } });
  await ask('/api/signin', { body: `{"email":"${email}","password":"${password}"` });
  const { body: signedIn } = await ask('/api/signin', { body: { email, password } });
  const token = secret('a token', signedIn.data);
  await ask('/api/userdata', { body: { token } });
  await ask('/api/block', { token, method: 'GET' });
  await ask('/api/block', { token: secret('a token of nobody', 'n0body-has-this-token'), method: 'GET' });
  await ask(`/api/getallUser?q=${email}`, { method: 'GET' });

  const nonce = secret('a nonce', (await ask('/api/google-nonce')).body.nonce);
  const now = Math.floor(Date.now() / 1000);
  const subjectEmail = secret('an address that an issuer vouches for', 'vouched.for@mail.example');
  const claims = { iss: issuer.name, aud: testClientId, sub: 's', nonce, iat: now, exp: now + 300 };
  const vouched = { ...claims, email: subjectEmail, email_verified: true, name: 'Ravi' };
  const idToken = secret('an ID token', await issuer.sign(vouched));
  const { body: byIssuer } = await ask('/api/google-loginweb', { body: { idToken } });
  secret('a token by an issuer', byIssuer.token);
  await ask('/api/google-loginweb', { body: { idToken } });
  await issuer.rotate();
  issuer.status.value = 500;
  await ask('/api/google-loginweb', {
    body: { idToken: secret('another ID token', await issuer.sign(vouched)) },
  });

  const form = new FormData();
  form.append('file', new Blob([await freshClip()]), 'clip.mp4');
  const upload = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form };
  expect((await fetch(`${program.origin}/api/s3Reel/uploadReels`, upload)).status).toBe(200);
  const { body: exported } = await ask('/api/export', { token });
  secret('a ticket', exported.url.split('/').at(-1));
  await (await fetch(`${program.origin}${exported.url}`)).arrayBuffer();

  // PostgreSQL repeats values that it rejects, and connection errors name the address.
  const db = await openDatabase(database.url, 1);
  await sql`create unique index on messages (email)`.execute(db);
  const contact = {
    name: 'A',
    email: secret('a writer’s address', 'a.writer@people.example'),
    text: 'Hello',
  };
  await ask('/api/contact/contact', { body: contact });
  expect((await ask('/api/contact/contact', { body: { ...contact, text: 'Again' } })).status).toBe(500);
  const reported = { kind: 'person', id: signedIn.user._id, reason: 'spam' };
  const number = secret('the number of a report', (await ask('/api/report', { body: reported })).body.number);
  await ask(`/api/report/${number}`, { method: 'GET' });
  await fetch(`${program.origin}/report/${number}`);
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
    db,
  );
  await sql`alter table sessions rename to elsewhere`.execute(db);
  // The server notices the cut connections first.
  await expect.poll(async () => (await ask('/api/block', { token, method: 'GET' })).status).toBe(500);
  await sql`alter table elsewhere rename to sessions`.execute(db);
  await db.destroy();
  await ask('/api/profile/password', { token, body: { password, newPassword, cpassword: newPassword } });
  await ask('/api/logout', { token });

  await program.stop();
  const { out, err } = program.said();
  // Much was logged.
  expect(err).toContain('"url":"/api/getallUser?…"');
  expect(err).toContain('duplicate key value violates unique constraint');
  expect(err).toContain('relation \\"sessions\\" does not exist');
  const leaks = [...secrets].filter(([, value]) => `${out}${err}`.includes(value));
  expect(leaks).toEqual([]);
  for (const [what, value] of secrets) expect(value.length, what).toBeGreaterThan(5);
});
