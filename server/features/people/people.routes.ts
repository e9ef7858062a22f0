import type { Kysely } from 'kysely';
import { getAllUsers, getUser } from '../../../contract/people.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { on, type Route } from '../../platform/route.ts';
import { listPeople, showPerson } from './people.ts';

export function peopleRoutes(db: Kysely<Tables>, mediaOrigin: string): Route[] {
  return [
    on(getUser, async ({ params }) => ({ data: await showPerson(db, params.id, mediaOrigin) })),
    on(getAllUsers, ({ query }) => listPeople(db, query, mediaOrigin)),
  ];
}
