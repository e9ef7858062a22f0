import { expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { personIn } from '#testing/fixtures/earnings.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { withoutDemoMail } from './mail.ts';
import { note } from './progress.ts';

it('a site with the people of the demo sends no mail; one with people of its own does', async () => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:25', MAIL_FROM: 'jhalak@jhalak.example' };
  const config = (more: Record<string, string>) =>
    readConfig({ ORIGIN: 'http://localhost:3000', ...mail, ...more }, () => undefined);
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 2);
  const sends = async (more: Record<string, string>) =>
    (await withoutDemoMail(db, config(more))).mail !== undefined;
  try {
    expect(await sends({ JHALAK_DEMO: 'on' })).toBe(false);
    expect(await sends({ JHALAK_DEMO: 'off' })).toBe(true);
    await personIn(db, new Date());
    expect(await sends({ JHALAK_DEMO: 'on' })).toBe(true);
    await note(db, 'begun');
    expect(await sends({ JHALAK_DEMO: 'on' })).toBe(false);
    expect(await sends({ JHALAK_DEMO: 'off' })).toBe(true);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
