import { resolve } from 'node:path';
import { z } from 'zod';
import { makeBackup } from '../features/backup/backup.ts';
import { restoreBackup } from '../features/backup/restore.ts';
import { noteAct } from '../features/operators/audit-log.ts';
import { migrationsOf } from '../platform/database/database.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { jobKinds } from '../work.ts';
import { command, firstCommand } from './command.ts';

const folder = z
  .string()
  .min(1, { error: 'Please say which folder.' })
  .transform((path) => resolve(path));

export const upkeepCommands = [
  command({
    name: 'migrate',
    about:
      'Bring the tables up to date, as every start does: for whoever wants it done before the first start.',
    input: z.object({}),
    async run({ db }) {
      // It was done when this command opened the database.
      const { done } = await migrationsOf(db);
      return { text: `The tables are as of ${done.at(-1)}.\n`, json: { done } };
    },
  }),
  command({
    name: 'backup',
    about: 'Write the whole site, database and files, into an empty folder while it runs.',
    operands: ['folder'],
    options: { since: 'a backup of before on the same disk: files that it has are linked and not copied' },
    input: z.object({ folder, since: folder.optional() }),
    async run({ db, url, storage, operator, clock }, input) {
      const now = clock();
      const told = await makeBackup({ db, url, storage: await storage() }, input.folder, input.since, now);
      await inTransaction(db, (trx) =>
        noteAct(trx, operator, { act: 'site.backup', target: { kind: 'site', id: input.folder } }, now),
      );
      const rows = told.tables.reduce((sum, table) => sum + table.rows, 0);
      const lost = told.missing.map(
        (name) => `${name} is missing on the site itself, and so in its backup.\n`,
      );
      const text = `${lost.join('')}${rows} rows and ${told.files.count} files of ${told.madeAt} are in ${input.folder}.\n`;
      return { text, json: { folder: input.folder, rows, ...told }, failed: lost.length > 0 };
    },
  }),
  firstCommand({
    name: 'restore',
    about: 'Make a site of a backup, in a DATA_DIR (and a database of DATABASE_URL) that is empty.',
    operands: ['folder'],
    options: { sessions: 'keep: whoever was logged in stays so; without it everybody logs in again' },
    input: z.object({
      folder,
      sessions: z.literal('keep', { error: 'The option --sessions takes the word keep.' }).optional(),
    }),
    async runFirst({ dataDir, databaseUrl, storage }, input, say) {
      const target = { dataDir, databaseUrl, storage, jobKinds, keepSessions: input.sessions === 'keep' };
      const told = await restoreBackup(input.folder, target, say);
      const rows = told.tables.reduce((sum, table) => sum + table.rows, 0);
      const text = `The site of ${told.madeAt} is in ${dataDir}: ${rows} rows and ${told.files.count} files. Now start it, and run ledger audit.\n`;
      return { text, json: { dataDir, rows, ...told } };
    },
  }),
];
