import type { z } from 'zod';
import type { listLog as listLogCall } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import * as log from '../audit-log/audit-log.ts';
import { idOf } from './people.ts';

/** The log, newest first, by what is asked for. What acts are about is named as `kind:id`, by an id, or by a username. */
export async function listLog(
  context: Context<'db' | 'config'>,
  { operator, about, ...asked }: z.output<typeof listLogCall.query>,
  seesChildren: boolean,
): ReturnType<typeof log.listLog> {
  const [, kind, id] = /^([a-z]+):(.+)$/.exec(about ?? '') ?? [];
  const which = {
    ...asked,
    operator: operator?.replace(/^@/, ''),
    ...(kind && id ? { about: { kind, id } } : about ? { about: { id: await idOf(context.db, about) } } : {}),
  };
  return await log.listLog(context, which, seesChildren);
}
