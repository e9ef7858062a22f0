import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { indexWork } from '../search-index/search-index.ts';
import { listCaptions } from './captions.queries.ts';

interface Searched {
  id: string;
  creator_id: string;
  caption: string;
  credit: string;
  categories: string[];
}

/** Makes a reel searchable by its words and those of its captions, in the transaction that publishes or changes it. */
export async function indexReel(trx: Transaction<Tables>, reel: Searched, now: Date): Promise<void> {
  const { id, caption, credit, categories } = reel;
  const said = (await listCaptions(trx, reel)).flatMap(({ words }) => words);
  await indexWork(trx, { kind: 'reel', id, text: `${caption}\n${credit}`, categories, said }, now);
}
