import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { newId } from '#server/platform/ids.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';

it('the upgrade asks creators with a pending withdrawal once for a payout destination, and nobody else', async () => {
  const database = await freshDatabase('template1');
  const db = await openDatabase(database.url, 1);
  try {
    await migrate(db, '0067_view_marks_by_month');
    const creators = { pending: newId(new Date()), completed: newId(new Date()) };
    for (const id of Object.values(creators))
      await sql`
        insert into people (id, name, username, username_key, email, email_key, password_hash, created_at)
        values (${id}, 'Zoya', ${id}, ${id}, ${id}, ${id}, '', now())`.execute(db);
    const request = (creatorId: string, month: string, reference: string | null) =>
      sql`
        insert into withdrawals (id, creator_id, month, coins, paise, state, reference, requested_at, decided_at)
        values (${newId(new Date())}, ${creatorId}, ${month}, 500, 100, ${reference ? 'completed' : 'pending'}, ${reference}, now(),
          ${reference ? new Date() : null})`.execute(db);
    await request(creators.pending, '2026-01', null);
    await request(creators.pending, '2026-02', null);
    await request(creators.completed, '2026-01', 'UTR 1');

    await migrate(db);
    const notifications = await db.selectFrom('notifications').select(['person_id', 'kind']).execute();
    expect(notifications).toEqual([{ person_id: creators.pending, kind: 'destination_needed' }]);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
