import type { z } from 'zod';
import { listCases } from '#contract/cases.ts';
import type { LoggedAct, listLog as listLogCall, NamedAct } from '#contract/operators.ts';
import { mayCall } from '#contract/roles.ts';
import type { Context } from '#server/platform/context.ts';
import type { Caller } from '#server/platform/route.ts';
import * as log from '../audit-log/audit-log.ts';
import { nameThings } from '../moderation/named-things.ts';
import { seesChildren } from '../people/child-safety.ts';
import { idOf } from './people.ts';

/** The operator who reads the log; undefined for a command on the server. */
type Reader = Pick<Caller, 'id' | 'role'> | undefined;

/** The log, newest first, by what is asked for: acts about `kind:id`, an id, or a username. Each says what it is about in words. */
export async function listLog(
  context: Context<'db' | 'config'>,
  { operator, about, ...asked }: z.output<typeof listLogCall.query>,
  reader: Reader,
): Promise<{ data: NamedAct[]; nextCursor: string | null }> {
  const [, kind, id] = /^([a-z]+):(.+)$/.exec(about ?? '') ?? [];
  const which = {
    ...asked,
    operator: operator?.replace(/^@/, ''),
    ...(kind && id ? { about: { kind, id } } : about ? { about: { id: await idOf(context.db, about) } } : {}),
  };
  const sees = await seesChildren(context.db, reader?.id ?? null);
  const { data, nextCursor } = await log.listLog(context, which, sees);
  return { data: await withThings(context.db, data, { reader, sees }), nextCursor };
}

/** One act with what it is about in words, and the newest acts on the same. */
export async function showAct(
  db: Context<'db'>['db'],
  id: string,
  reader: Reader,
): Promise<NamedAct & { history: LoggedAct[] }> {
  const sees = await seesChildren(db, reader?.id ?? null);
  const { history, ...act } = await log.showAct(db, id, sees);
  const [named] = await withThings(db, [act], { reader, sees });
  return { thing: null, ...act, ...named, history };
}

/**
 * An act about what may show a child says nothing more than that to who may not see it. Who may not read cases reads no words of works and
 * comments, only the names of people.
 */
async function withThings(
  db: Context<'db'>['db'],
  acts: readonly LoggedAct[],
  { reader, sees }: { reader: Reader; sees: boolean },
): Promise<NamedAct[]> {
  const readsCases = !reader || mayCall(reader.role, listCases.role);
  const targets = acts.map(({ targetKind: kind, targetId: id }) => ({ kind, id }));
  const named = targets.filter(({ kind }) => readsCases || kind === 'person');
  const things = await nameThings(db, named, sees);
  return acts.map((act) => ({ ...act, thing: things.get(`${act.targetKind}:${act.targetId}`) ?? null }));
}
