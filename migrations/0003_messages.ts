import { type Kysely, sql } from 'kysely';

/** Messages of visitors to the operators. A message stays when its writer's account is deleted, without the reference to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table messages (
      id uuid primary key,
      kind text not null check (kind in ('contact', 'feedback')),
      person_id uuid references people on delete set null,
      name text not null,
      email text not null,
      phone text not null,
      text text not null,
      created_at timestamptz not null
    )`.execute(db);
  await sql`create index messages_newest on messages (kind, created_at desc, id desc)`.execute(db);
  // To find the same text sent twice by a double click.
  await sql`create index messages_same on messages (md5(text), created_at)`.execute(db);
}
