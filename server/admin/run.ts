import { userInfo } from 'node:os';
import { withDemo } from '#demo/settings.ts';
import { readConfig } from '../config.ts';
import { placesWith } from '../features/accounts/places.ts';
import type { Operator } from '../features/audit-log/audit-log.ts';
import { sendsMail } from '../features/mail/is-on.ts';
import { openOutbox } from '../features/mail/outbox.ts';
import { hasOperators, operatorNamed } from '../features/operators/operators.ts';
import { takeCode } from '../features/second-factor/second-factor.ts';
import type { Context } from '../platform/context.ts';
import { type Keyring, openKeyring } from '../platform/keyring/keyring.ts';
import type { Outbox } from '../platform/outbox.ts';
import { Refusal } from '../platform/refusal.ts';
import { StartupError } from '../platform/startup-error.ts';
import { openStorage } from '../platform/storage/open.ts';
import { clockOf } from '../platform/test-clock.ts';
import {
  type Command,
  type CommandOutput,
  helpOf,
  helpOfAll,
  type Typed,
  UsageError,
  understand,
} from './command.ts';
import { commands } from './commands.ts';
import { openServersDatabase } from './database.ts';

/** What a process has; tests of commands give their own. */
interface Surroundings {
  env: NodeJS.ProcessEnv;
  /** Writes to standard output, or to standard error, all of it before the process may end. */
  write(text: string): Promise<void>;
  complain(text: string): Promise<void>;
}

/** Whoever acts, and has given the code that the command needs. */
async function operatorOf(
  { db, clock, keys }: Context<'db' | 'clock'> & { keys: () => Promise<Keys> },
  needsCode: Command['needsCode'],
  { as, code }: Pick<Typed, 'as' | 'code'>,
): Promise<Operator> {
  // Whoever is named gives a code, also where none is needed: the log must not name somebody who did not act.
  const mustGive =
    as !== undefined || needsCode === 'always' || (needsCode !== undefined && (await hasOperators(db)));
  if (mustGive && (as === undefined || code === undefined))
    throw new UsageError(
      as === undefined
        ? 'Acts on people and money need an operator and a code of their authenticator app: --as <username> --code <code>.'
        : 'Whoever acts gives a code of their authenticator app: --as <username> --code <code>.',
    );
  if (as === undefined) return { id: null, name: `${userInfo().username} (this machine)` };
  const operator = await operatorNamed(db, as);
  const { keyring, outbox } = await keys();
  const places = placesWith(keyring.secret('places'));
  const from = { address: '127.0.0.1', places, device: places.key('factor on the machine', operator.id) };
  const context = { db, clock, keyring, outbox };
  await takeCode(context, { personId: operator.id, from }, code ?? '');
  return operator;
}

interface Keys {
  keyring: Keyring;
  outbox: Outbox;
}

/** Runs one command and returns the exit code. */
async function run(
  { command, help, words, json, as, code, input }: Typed,
  { env, write, complain }: Surroundings,
): Promise<number> {
  if (!command || help) {
    await write(command ? helpOf(command) : helpOfAll(commands, words[0]));
    return 0;
  }
  const say = (line: string) => void complain(`${line}\n`);
  const given = readConfig(env);
  const answer = async (output: CommandOutput) => {
    await write(json ? `${JSON.stringify(output.json, null, 2)}\n` : output.text);
    return output.failed ? 1 : 0;
  };
  if ('runFirst' in command) return await answer(await command.runFirst(given, input as never, say));
  const clock = clockOf(given.testClock);
  const { db, url, close } = await openServersDatabase(given, say);
  let opened: Promise<Keys> | undefined;
  const config = await withDemo(db, given);
  const keys = () => {
    opened ??= openKeyring({ db, folder: config.keysDir, say, warn: say }).then(async (keyring) => ({
      keyring,
      outbox: openOutbox(keyring, (await sendsMail(db)) ?? config.mail !== undefined),
    }));
    return opened;
  };
  try {
    const desk = {
      db,
      url,
      config,
      // A store that does not answer says so to what is asked of it next.
      storage: () => openStorage(config.storage, config.dataDir, () => undefined),
      keys,
      operator: await operatorOf({ db, clock, keys }, command.needsCode, { as, code }),
      clock,
    };
    return await answer(await command.run(desk, input as never));
  } finally {
    await (await opened?.catch(() => undefined))?.keyring.close();
    await close();
  }
}

/** Runs the command of these words and returns the exit code; an error is one sentence on standard error. */
export async function runAdmin(words: string[], surroundings: Surroundings): Promise<number> {
  try {
    return await run(understand(commands, words), surroundings);
  } catch (error) {
    const isExpected =
      error instanceof Refusal || error instanceof StartupError || error instanceof UsageError;
    await surroundings.complain(`${isExpected ? error.message : (error as Error).stack}\n`);
    return 1;
  }
}
