import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { operatorActs } from '../features/operators/operators.routes.ts';
import { idOf } from '../features/operators/people.ts';
import type { Request } from '../platform/route.ts';
import { type Command, type CommandContext, command } from './command.ts';
import { asTable, type Cell } from './print.ts';

/** What a command has that its call does not say. */
interface Additions {
  /** A further sentence of help. */
  about?: string;
  /** Fields of query or body that are words without a name, after those of the path. */
  operands?: readonly string[];
  /** The field with a person's id, for which the command takes a username too, and its name in the command. */
  person?: { field: string; as: string };
  /** Fields that the command sets itself. */
  fixed?: Readonly<Record<string, string>>;
  /** Values of fields that are not given. */
  defaults?: Readonly<Record<string, string>>;
  /** The columns of a list; all fields unless told. */
  columns?: readonly string[];
  /** An act needs a code always, unless told. */
  needsCode?: Command['needsCode'];
  /** The answer for people, if it is no table. */
  text?(answer: Record<string, unknown>): string | undefined;
  /** What people are told before the answer. */
  before?(desk: CommandContext): Promise<string>;
}

const parts = ['params', 'query', 'body'] as const;
/** A username is looked up once there is a database. Until then this id stands for it. */
const nobody = '00000000-0000-7000-8000-000000000000';

/** A command that makes a call of operators: its arguments, help and output are those of the call in the contract. */
export function commandOf(name: string, endpoint: Endpoint, additions: Additions = {}): Command {
  const { operands = [], person, fixed = {}, defaults = {}, columns, before } = additions;
  const fields: Record<string, z.ZodType> = Object.assign({}, ...parts.map((part) => endpoint[part]?.shape));
  const nameOf = (field: string) => (field === person?.field ? person.as : field);
  const isWord = (field: string) => field in (endpoint.params?.shape ?? {}) || operands.includes(field);
  const own = Object.keys(fields).filter((field) => !(field in fixed));
  const isAct = endpoint.method !== 'GET';

  const input = z.record(z.string(), z.string().optional()).transform((given, context) => {
    const who = person && given[person.as];
    const values: Record<string, unknown> = { ...fixed };
    for (const field of own)
      values[field] = parseWord(fields[field], given[nameOf(field)] ?? defaults[field]);
    if (person && who !== undefined) values[person.field] = nobody;
    else if (person && !(fields[person.field] instanceof z.ZodOptional))
      context.addIssue({ code: 'custom', message: `Please say who, as --${person.as}.` });
    const request: Partial<Record<(typeof parts)[number], Record<string, unknown>>> = {};
    for (const part of parts) {
      const checked = endpoint[part]?.safeParse(values);
      if (checked?.success) request[part] = checked.data;
      for (const { message } of checked?.error?.issues ?? []) context.addIssue({ code: 'custom', message });
    }
    return { request, who };
  });

  return command({
    name,
    about: [`${endpoint.summary}.`, additions.about].filter(Boolean).join(' '),
    operands: own.filter(isWord).map(nameOf),
    options: Object.fromEntries(
      own
        .filter((field) => !isWord(field))
        .map((field) => [nameOf(field), describe(fields[field], defaults[field])]),
    ),
    ...(isAct ? { needsCode: additions.needsCode ?? 'always' } : {}),
    input,
    async run(desk, { request, who }) {
      const told = (await before?.(desk)) ?? '';
      const context = { ...desk, ...(await desk.keys()) };
      const route = operatorActs(context, async () => desk.operator, { isAlone: true }).find(
        (act) => act.endpoint === endpoint,
      );
      if (!route || !('parse' in endpoint.response)) throw new Error(`no rule is tied to ${endpoint.path}`);
      for (const part of parts)
        if (person && who !== undefined && request[part]?.[person.field])
          request[part][person.field] = await idOf(desk.db, who);
      const { answer } = await route.handle(request as unknown as Request<Endpoint>);
      const { status: _, ...json } = endpoint.response.parse({ status: 'ok', ...answer });
      return { text: additions.text?.(json) ?? told + textOf(json, columns), json };
    },
  });
}

/** The schema within `optional()` and `default()`. */
function inner(schema: z.ZodType | undefined): z.ZodType | undefined {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
    ? inner(schema.unwrap() as z.ZodType)
    : schema;
}

/** A word of the command line as a value of the call; lists have commas between their items. */
function parseWord(schema: z.ZodType | undefined, word: string | undefined): unknown {
  const wanted = inner(schema);
  if (wanted instanceof z.ZodArray) return word?.split(',').map((item) => item.trim());
  if (wanted instanceof z.ZodBoolean && (word === 'true' || word === 'false')) return word === 'true';
  return word;
}

function describe(schema: z.ZodType | undefined, given?: string): string {
  const wanted = inner(schema);
  const about = schema?.description ?? '';
  const form =
    wanted instanceof z.ZodEnum
      ? wanted.options.join(' or ')
      : wanted instanceof z.ZodBoolean
        ? 'true or false'
        : wanted instanceof z.ZodArray
          ? 'several, with commas between them'
          : '';
  const usual = schema instanceof z.ZodDefault ? schema.def.defaultValue : given;
  const unless = usual === undefined ? '' : `${usual} unless told`;
  const takes = [form, unless].filter(Boolean).join('; ');
  return takes && about ? `${about} (${takes})` : about || takes;
}

/** An answer for people: lists as tables, everything else as lines. */
function textOf(
  { data, nextCursor, ...rest }: Record<string, unknown>,
  columns: readonly string[] | undefined,
) {
  const more = nextCursor ? `More with --cursor ${nextCursor}\n` : '';
  const others = Object.keys(rest).length > 0 ? shown(rest) : '';
  return (data === undefined ? '' : shown(data, columns)) + others + more;
}

function shown(value: unknown, columns?: readonly string[]): string {
  if (isList(value)) {
    const keys = columns ?? Object.keys(value[0] ?? {});
    return asTable(
      keys.map((key) => key.replace(/^_/, '')),
      value.map((row) => keys.map((key) => cellOf(row[key]))),
    );
  }
  if (typeof value !== 'object' || value === null) return value === null ? 'None.\n' : `${value}\n`;
  const fields = Object.entries(value);
  const single = fields.filter(([, field]) => !isList(field) && cellOf(field) !== '');
  const lists = fields.filter(([, field]) => isList(field) && field.length > 0);
  return [
    ...single.map(([key, field]) => `${key.replace(/^_/, '')}: ${cellOf(field)}\n`),
    ...lists.map(([key, list]) => `\n${key}:\n${shown(list)}`),
  ].join('');
}

const isList = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);

/** A value on one line. */
function cellOf(value: unknown): Cell {
  if (Array.isArray(value)) return value.map(cellOf).join(', ');
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .map(cellOf)
      .filter((cell) => cell !== '')
      .join(' ');
  return typeof value === 'number' ? value : String(value ?? '');
}
