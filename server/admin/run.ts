import { userInfo } from 'node:os';
import type { Kysely } from 'kysely';
import { readConfig } from '../config.ts';
import { type Operator, operatorNamed } from '../features/operators/operators.ts';
import { systemClock } from '../platform/clock.ts';
import type { Tables } from '../platform/database/tables.ts';
import { Refusal } from '../platform/refusal.ts';
import { StartupError } from '../platform/startup-error.ts';
import { openStorage } from '../platform/storage/open.ts';
import { helpOf, helpOfAll, type Told, type Typed, UsageError, understand } from './command.ts';
import { commands } from './commands.ts';
import { openServersDatabase } from './database.ts';

/** Writes all of it before the process may end. */
const write = (stream: NodeJS.WriteStream, text: string) =>
  new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

async function operatorOf(db: Kysely<Tables>, username: string | undefined): Promise<Operator> {
  if (username !== undefined) return await operatorNamed(db, username);
  return { id: null, name: `${userInfo().username} (this machine)` };
}

/** Runs one command and returns the exit code. */
async function run({ command, help, words, json, as, input }: Typed): Promise<number> {
  if (!command || help) {
    await write(process.stdout, command ? helpOf(command) : helpOfAll(commands, words[0]));
    return 0;
  }
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const config = readConfig(process.env, say);
  const answer = async (told: Told) => {
    await write(process.stdout, json ? `${JSON.stringify(told.json, null, 2)}\n` : told.text);
    return told.failed ? 1 : 0;
  };
  if ('runFirst' in command) return await answer(await command.runFirst(config, input as never, say));
  const { db, url, close } = await openServersDatabase(config, say);
  try {
    const desk = {
      db,
      url,
      config,
      // A store that does not answer says so to what is asked of it next.
      storage: () => openStorage(config.storage, config.dataDir, () => undefined),
      operator: await operatorOf(db, as),
      clock: systemClock,
    };
    return await answer(await command.run(desk, input as never));
  } finally {
    await close();
  }
}

try {
  process.exitCode = await run(understand(commands, process.argv.slice(2)));
} catch (error) {
  const isToldPlainly =
    error instanceof Refusal || error instanceof StartupError || error instanceof UsageError;
  await write(process.stderr, `${isToldPlainly ? error.message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
