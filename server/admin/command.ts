import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import { reasonIn } from '#contract/invalid.ts';
import { sentenceOf } from '#contract/sentences.ts';
import type { Config } from '../config.ts';
import type { Operator } from '../features/audit-log/audit-log.ts';
import type { Clock } from '../platform/clock.ts';
import type { Tables } from '../platform/database/tables.ts';
import type { Keyring } from '../platform/keyring/keyring.ts';
import type { Outbox } from '../platform/outbox.ts';
import type { Storage } from '../platform/storage.ts';

/** The command line is invalid; the message is one sentence for the operator. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The sentence of the first problem: one of the contract, or the library's own. */
export function sentenceIn({ issues: [first] }: z.ZodError): string | undefined {
  const reason = first && reasonIn(first.message);
  return reason ? sentenceOf(reason) : first?.message;
}

/** The context of a command. */
export interface CommandContext {
  db: Kysely<Tables>;
  /** Connects to the same database. */
  url: string;
  config: Config;
  /** Opened when a command needs it. */
  storage: () => Promise<Storage>;
  /** The keyring and the outbox; both are opened when a command needs them. */
  keys: () => Promise<{ keyring: Keyring; outbox: Outbox }>;
  operator: Operator;
  clock: Clock;
}

export interface CommandOutput {
  /** Output for people. */
  text: string;
  /** Output for programs. */
  json: unknown;
  /** Whether the result reports a problem, which sets the exit code. */
  failed?: boolean;
}

/** One command: its name, its operands and options, and its action. */
export interface Command {
  /** `withdrawals complete` */
  name: string;
  about: string;
  /** The required operands, in this order. */
  operands?: readonly string[];
  /**
   * Whether it acts on people or money: then an operator is named, and gives a code of their second factor. The first operator is made
   * without one by anybody with access to the shell.
   */
  needsCode?: 'always' | 'after the first operator';
  /** Options with a value, and their descriptions. */
  options?: Readonly<Record<string, string>>;
  /** The validated operands and options, by name. */
  input: z.ZodType;
  run(desk: CommandContext, input: never): Promise<CommandOutput>;
}

/** A command that runs before there is a database. */
export interface FirstCommand extends Omit<Command, 'run'> {
  runFirst(config: Config, input: never, say: (line: string) => void): Promise<CommandOutput>;
}

/** Connects the input of a command to its action. */
export function command<S extends z.ZodType>(
  definition: Omit<Command, 'input' | 'run'> & {
    input: S;
    run: (desk: CommandContext, input: z.output<S>) => Promise<CommandOutput>;
  },
): Command {
  return definition as Command;
}

export function firstCommand<S extends z.ZodType>(
  definition: Omit<FirstCommand, 'input' | 'runFirst'> & {
    input: S;
    runFirst: (config: Config, input: z.output<S>, say: (line: string) => void) => Promise<CommandOutput>;
  },
): FirstCommand {
  return definition as FirstCommand;
}

type AnyCommand = Command | FirstCommand;

/** Options that every command takes. */
export const everywhere = {
  as: 'username of the operator who acts, with --code; without it the log names the user of this machine',
  code: 'of that operator’s authenticator app, or a recovery code; acts on people and money need both',
  json: 'answer as JSON, for programs',
  help: 'say what the command does and takes',
} as const;

export interface Typed {
  command: AnyCommand | undefined;
  /** The group or command of the help; empty for all commands. */
  help: boolean;
  words: string[];
  json: boolean;
  as: string | undefined;
  code: string | undefined;
  input: unknown;
}

/** Parses the command line, or throws one sentence. */
export function understand(commands: readonly AnyCommand[], typed: string[]): Typed {
  const names = new Set(commands.map(({ name }) => name));
  const words = wordsOf(commands, typed);
  const name = words.slice(0, 2).join(' ');
  const command = commands.find((known) => words.slice(0, lengthOf(known)).join(' ') === known.name);
  if (typed.length === 0 || (!command && typed.some((word) => word === '--help' || word === '-h')))
    return {
      command: undefined,
      help: true,
      words,
      json: false,
      as: undefined,
      code: undefined,
      input: undefined,
    };
  if (!command) {
    const group = [...names].filter((known) => known.startsWith(`${words[0]} `));
    throw new UsageError(
      group.length > 0
        ? `There is no command “${name}”; there is ${group.join(', ')}.`
        : `There is no command “${name}”; npm run admin -- --help lists them.`,
    );
  }
  const { values, positionals } = parse(command, typed);
  const { as, code, json = false, help = false, ...options } = values as Record<string, string | boolean>;
  const shared = {
    command,
    words,
    json: json === true,
    as: as as string | undefined,
    code: code as string | undefined,
  };
  if (help) return { ...shared, help: true, input: undefined };
  const operands = command.operands ?? [];
  const given = positionals.slice(lengthOf(command));
  if (given.length < operands.length)
    throw new UsageError(`Please give <${operands[given.length]}>: ${usage(command)}`);
  if (given.length > operands.length)
    throw new UsageError(`“${given[operands.length]}” is one word too many: ${usage(command)}`);
  const named = Object.fromEntries(operands.map((operand, index) => [operand, given[index]]));
  const checked = command.input.safeParse({ ...options, ...named });
  if (!checked.success)
    throw new UsageError(sentenceIn(checked.error) ?? `This was not understood: ${usage(command)}`);
  return { ...shared, help: false, input: checked.data };
}

/** A description for people. */
const lengthOf = ({ name }: AnyCommand) => name.split(' ').length;

/** The operands; options and their values may be anywhere between them. */
function wordsOf(commands: readonly AnyCommand[], args: string[]): string[] {
  const names = ['as', 'code', ...commands.flatMap(({ options = {} }) => Object.keys(options))];
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  return parseArgs({ args, options, allowPositionals: true, strict: false }).positionals;
}

function parse(command: AnyCommand, args: string[]) {
  const options: ParseArgsOptionsConfig = {
    as: { type: 'string' },
    code: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  for (const name of Object.keys(command.options ?? {})) options[name] = { type: 'string' };
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    // Its first sentence is the error; the rest is advice on operands that look like options.
    const [sentence = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(`${sentence.replace(/\.$/, '')}: ${usage(command)}`);
  }
}

/** `npm run admin -- withdrawals complete <id> --reference …` */
function usage(command: AnyCommand): string {
  const { name, operands = [], options = {} } = command;
  const code = 'needsCode' in command && command.needsCode === 'always' ? ['--as …', '--code …'] : [];
  const parts = [
    ...operands.map((operand) => `<${operand}>`),
    ...Object.keys(options).map((option) => `[--${option} …]`),
    ...code,
  ];
  return ['npm run admin --', name, ...parts].join(' ');
}

/** The description, operands and options of a command. */
export function helpOf(command: AnyCommand): string {
  const options = { ...command.options, ...everywhere };
  const lines = Object.entries(options).map(([name, about]) => `  --${name.padEnd(10)} ${about}\n`);
  return `${command.about}\n\n  ${usage(command)}\n\n${lines.join('')}`;
}

/** All commands, or those of one group. */
export function helpOfAll(commands: readonly AnyCommand[], group: string | undefined): string {
  const chosen = commands.filter(({ name }) => name.startsWith(`${group} `));
  const shown = chosen.length > 0 ? chosen : commands;
  const width = Math.max(...shown.map(({ name }) => name.length));
  const lines = shown.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}\n`);
  return `What operators do, on the database of DATA_DIR or DATABASE_URL.\n\n  npm run admin -- <command> [--as <operator> --code <code>] [--json]\n\n${lines.join('')}\nEach takes --help. With npm run -s admin -- … nothing but the answer is written.\n`;
}
