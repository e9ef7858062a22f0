import { fillDatabase } from '../filling.ts';
import { openKept } from '../kept.ts';
import { fillSearch } from './filling.ts';

/** Two searchable sites, of so many reels and a tenth of the people, in one PostgreSQL; the next run with these numbers finds them. */
export async function openSearched(
  sizes: readonly [small: number, large: number],
  say: (line: string) => void,
) {
  const databases = await openKept('search', sizes.join(' '), async ({ empty }) => {
    for (const reels of sizes) {
      say(`Filling a searchable site of ${reels.toLocaleString('en')} reels …`);
      const url = await empty(`site_${reels}`);
      await fillDatabase(url, { reels, people: Math.ceil(reels / 10) }, '');
      await fillSearch(url);
    }
  });
  return {
    small: databases.url(`site_${sizes[0]}`),
    large: databases.url(`site_${sizes[1]}`),
    empty: await databases.empty('answers'),
    stop: databases.stop,
  };
}
