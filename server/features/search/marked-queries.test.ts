import { expect, it } from 'vitest';
import { fillSearched, unanswered } from '#bench/search/answers.ts';
import { markedQueries } from '#bench/search/queries.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';

it('nine tenths of the marked queries are answered among the first ten results', async () => {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 4);
  const missed = await unanswered(db, await fillSearched(db));
  await db.destroy();
  await database.drop();
  expect(missed.map(({ q }) => q).length, missed.map(({ q }) => q).join(', ')).toBeLessThanOrEqual(
    markedQueries.length / 10,
  );
});
