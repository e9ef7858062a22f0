import type { z } from 'zod';
import type { LoggedAct, listLog as listLogCall, NamedAct } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import * as log from '../audit-log/audit-log.ts';
import { nameThings } from '../moderation/named-things.ts';
import { idOf } from './people.ts';

/** The log, newest first, by what is asked for: acts about `kind:id`, an id, or a username. Each says what it is about in words. */
export async function listLog(
  context: Context<'db' | 'config'>,
  { operator, about, ...asked }: z.output<typeof listLogCall.query>,
  seesChildren: boolean,
): Promise<{ data: NamedAct[]; nextCursor: string | null }> {
  const [, kind, id] = /^([a-z]+):(.+)$/.exec(about ?? '') ?? [];
  const which = {
    ...asked,
    operator: operator?.replace(/^@/, ''),
    ...(kind && id ? { about: { kind, id } } : about ? { about: { id: await idOf(context.db, about) } } : {}),
  };
  const { data, nextCursor } = await log.listLog(context, which, seesChildren);
  return { data: await withThings(context.db, data, seesChildren), nextCursor };
}

/** One act with what it is about in words, and the newest acts on the same. */
export async function showAct(
  db: Context<'db'>['db'],
  id: string,
  seesChildren: boolean,
): Promise<NamedAct & { history: LoggedAct[] }> {
  const { history, ...act } = await log.showAct(db, id, seesChildren);
  const [named] = await withThings(db, [act], seesChildren);
  return { thing: null, ...act, ...named, history };
}

/** An act about what may show a child says nothing more than that to who may not see it. */
async function withThings(
  db: Context<'db'>['db'],
  acts: readonly LoggedAct[],
  seesChildren: boolean,
): Promise<NamedAct[]> {
  const targets = acts.map(({ targetKind: kind, targetId: id }) => ({ kind, id }));
  const things = await nameThings(db, targets, seesChildren);
  return acts.map((act) => ({ ...act, thing: things.get(`${act.targetKind}:${act.targetId}`) ?? null }));
}
