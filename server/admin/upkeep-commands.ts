import { resolve } from 'node:path';
import { z } from 'zod';
import { jobKinds } from '../boot/run-jobs.ts';
import { logAct } from '../features/audit-log/audit-log.ts';
import { makeBackup } from '../features/backup/backup.ts';
import { restoreBackup } from '../features/backup/restore.ts';
import { adoptFile, listQuarantined, quarantinedFor } from '../features/stored-files/stored-files.ts';
import { migrationsOf } from '../platform/database/database.ts';
import { distribute, type Moved, undistribute } from '../platform/database/spread.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { copyKeys, listKeys, retireKeys, rotateKeys } from '../platform/keyring/keyring.ts';
import { StartupError } from '../platform/startup-error.ts';
import { type CommandOutput, command, firstCommand } from './command.ts';
import { asTable } from './print.ts';

const folder = z
  .string()
  .min(1, { error: 'Please say which folder.' })
  .transform((path) => resolve(path));

const warn = (sentence: string) => process.stderr.write(`${sentence}\n`);

function movedOutput(data: readonly Moved[]): CommandOutput {
  const rows = data.map(({ table, seconds, waited }) => [table, seconds.toFixed(1), waited.toFixed(1)]);
  const text =
    data.length > 0
      ? asTable(['table', 'seconds', 'of them, writes waited'], rows)
      : 'Nothing was left to move.\n';
  return { text, json: { data } };
}

export const upkeepCommands = [
  command({
    name: 'migrate',
    about:
      'Bring the tables up to date, as every start does: for whoever wants it done before the first start.',
    input: z.object({}),
    async run({ db }) {
      // Already done when this command opened the database.
      const { done } = await migrationsOf(db);
      return { text: `The tables are as of ${done.at(-1)}.\n`, json: { done } };
    },
  }),
  command({
    name: 'distribute',
    about:
      'Spread the tables that grow with the views over the workers of a Citus cluster, beside the running site.',
    input: z.object({}),
    run: async ({ db }) => movedOutput(await distribute(db)),
  }),
  command({
    name: 'undistribute',
    about:
      'Bring them back to one PostgreSQL. Writes fail while a table is copied, for as long as this command says; reads go on.',
    input: z.object({}),
    run: async ({ db }) => movedOutput(await undistribute(db)),
  }),
  command({
    name: 'files quarantine',
    about: 'Files that no row names, and that are served to nobody; each is deleted after a week.',
    input: z.object({}),
    async run({ db }) {
      const rows = (await listQuarantined(db)).map(({ key, touched_at: since }) => ({
        key,
        since: since.toISOString(),
        until: new Date(since.getTime() + quarantinedFor).toISOString(),
      }));
      const table = asTable(
        ['key', 'since', 'deleted after'],
        rows.map(({ key, since, until }) => [key, since, until]),
      );
      return { text: table, json: { data: rows } };
    },
  }),
  command({
    name: 'files adopt',
    about: 'Bring a file back from quarantine: it is served again, and kept.',
    operands: ['key'],
    input: z.object({
      key: z.string().regex(/^[0-9a-f]{32}$/, { error: 'A key has 32 signs, 0 to 9 and a to f.' }),
    }),
    async run({ db, operator, clock }, { key }) {
      const now = clock();
      await inTransaction(db, async (trx) => {
        if (!(await adoptFile(trx, key, now)))
          throw new StartupError('There is no file of this key in quarantine; files quarantine lists them.');
        await logAct(trx, operator, { act: 'files.adopt', target: { kind: 'file', id: key } }, now);
      });
      return { text: `${key} is in use again, and has no owner.\n`, json: { key } };
    },
  }),
  command({
    name: 'backup',
    about: 'Write the whole site, database and files but not its keys, into an empty folder while it runs.',
    operands: ['folder'],
    options: { since: 'a backup of before on the same disk: files that it has are linked and not copied' },
    input: z.object({ folder, since: folder.optional() }),
    async run({ db, url, config, storage, operator, clock }, input) {
      const now = clock();
      const manifest = await makeBackup(
        { db, url, storage: await storage() },
        input.folder,
        input.since,
        now,
      );
      await inTransaction(db, (trx) =>
        logAct(trx, operator, { act: 'site.backup', target: { kind: 'site', id: input.folder } }, now),
      );
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const lost = manifest.missing.map(
        (name) => `${name} is missing on the site itself, and so in its backup.\n`,
      );
      const text = `${lost.join('')}${rows} rows and ${manifest.files.count} files of ${manifest.madeAt} are in ${input.folder}.\nThe keys in ${config.keysDir} are not: npm run admin -- keys backup writes them to another place.\n`;
      return { text, json: { folder: input.folder, rows, keys: null, ...manifest }, failed: lost.length > 0 };
    },
  }),
  command({
    name: 'keys list',
    about:
      'The keys that protect stored data: names and versions, which are lost, and how many values older ones still protect.',
    input: z.object({}),
    async run({ db }) {
      const keys = await listKeys(db);
      const leftOf = (left: Record<string, number>) =>
        Object.entries(left).map(([column, count]) => `${column} ${count}`);
      const rows = keys.map((key) => [
        key.name,
        key.version,
        key.state,
        key.madeAt,
        leftOf(key.left).join(', '),
      ]);
      return {
        text: asTable(['key', 'version', 'state', 'made', 'values left'], rows),
        json: { data: keys },
      };
    },
  }),
  command({
    name: 'keys rotate',
    about:
      'Make a new version of the key of encrypted columns while the site runs; the versions before still decrypt.',
    input: z.object({}),
    async run({ db, config, operator, clock }) {
      const version = await inTransaction(db, async (trx) => {
        const made = await rotateKeys(trx, config.keysDir, warn);
        const target = { kind: 'keys', id: `data.${made}` };
        await logAct(trx, operator, { act: 'keys.rotate', target }, clock());
        return made;
      });
      const text = `Version ${version} of the key data is in ${config.keysDir}. Processes encrypt with it once each of them can read it, within a minute, and encrypt again what older versions have encrypted, within an hour. Now run keys backup.\n`;
      return { text, json: { name: 'data', version } };
    },
  }),
  command({
    name: 'keys retire',
    about: 'Delete older versions of the key of encrypted columns, once nothing needs them any more.',
    input: z.object({}),
    async run({ db, config, operator, clock }) {
      const now = clock();
      const versions = await retireKeys(db, config.keysDir, now);
      for (const version of versions)
        await inTransaction(db, (trx) =>
          logAct(trx, operator, { act: 'keys.retire', target: { kind: 'keys', id: `data.${version}` } }, now),
        );
      const text =
        versions.length === 0
          ? 'There is no older version of the key data.\n'
          : `Deleted: ${versions.map((version) => `data.${version}`).join(', ')}. Backups of before need a copy of them: keep it as long as those.\n`;
      return { text, json: { name: 'data', versions } };
    },
  }),
  command({
    name: 'keys backup',
    about: 'Copy the keys into an empty folder. Keep it apart from backups: who has both reads everything.',
    operands: ['folder'],
    input: z.object({ folder }),
    async run({ db, config, operator, clock }, input) {
      const count = await copyKeys(db, { from: config.keysDir, to: input.folder }, warn);
      const target = { kind: 'keys', id: input.folder };
      await inTransaction(db, (trx) => logAct(trx, operator, { act: 'keys.backup', target }, clock()));
      return { text: `${count} keys are in ${input.folder}.\n`, json: { folder: input.folder, count } };
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
    async runFirst({ dataDir, databaseUrl, keysDir, storage }, input, say) {
      const target = { dataDir, databaseUrl, storage, jobKinds, keepSessions: input.sessions === 'keep' };
      const manifest = await restoreBackup(input.folder, target, say);
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const text = `The site of ${manifest.madeAt} is in ${dataDir}: ${rows} rows and ${manifest.files.count} files. No backup has its keys: put your copy of them into ${keysDir} first. Now start it, and run ledger audit.\nPayouts are locked, and no mail or push that waited is sent: compare what was paid since ${manifest.madeAt} by payouts reconcile (docs/operating.md).\n`;
      return { text, json: { dataDir, rows, ...manifest } };
    },
  }),
];
