import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { attackers } from './fraud/attackers.ts';
import { type Cell, type CellResult, measureCell } from './fraud/cell.ts';
import { groups } from './fraud/groups.ts';
import { rowsOf } from './fraud/rows.ts';
import type { Measurement } from './harness.ts';

/** `WHOLE=1` runs all sites, shares and both mail settings; otherwise a share of them that ends within minutes. */
const isWhole = process.env.WHOLE === '1';
/** Number of settings per attacker, rings per site, and people on the larger sites. */
const settings = Number(process.env.SETTINGS ?? (isWhole ? 200 : 3));
const rings = Number(process.env.RINGS ?? (isWhole ? 20 : 4));
const people = Number(process.env.PEOPLE ?? (isWhole ? 10_000 : 1500));
/** Which cells to run, by number, such as `CELLS=1,2`; all if absent. The seed of a cell is its number. */
const chosen = process.env.CELLS?.split(',').map(Number);

const first: Cell = { isNew: true, creators: 5, people: 600, signedIn: 0.05, hasMail: true };
const larger = [100, 10_000].map((creators): Cell => ({ ...first, isNew: false, creators, people }));
const cells = isWhole
  ? [first, ...larger].flatMap((site) =>
      [0.01, 0.05, 0.2].flatMap((signedIn) =>
        [true, false].map((hasMail) => ({ ...site, signedIn, hasMail })),
      ),
    )
  : [first, { ...first, hasMail: false }, ...larger];

/**
 * What honest people lose and what attackers get in a month by the server's own rules, on sites of several sizes. Everything is
 * generated from seeds.
 */
export const fraud: Measurement = {
  name: 'fraud',
  async run({ say }) {
    const results: CellResult[] = [];
    for (const [place, cell] of cells.entries()) {
      if (chosen && !chosen.includes(place + 1)) continue;
      await onFreshDatabase(async (db) => {
        const tries = { groups, attackers, settings, rings, seed: place + 1 };
        results.push(await measureCell(db, cell, tries, say));
      });
    }
    return rowsOf(results);
  },
};

async function onFreshDatabase(run: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-bench-'));
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    say: () => undefined,
    settings: { fsync: 'off', synchronous_commit: 'off', shared_buffers: '512MB' },
  });
  const db = await openDatabase(postgres.url);
  try {
    await migrate(db);
    await run(db);
  } finally {
    await db.destroy();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
