import { type Kysely, sql } from 'kysely';

/**
 * People are found by any part of their name or username. If PostgreSQL has no pg_trgm (it is part of nearly every installation, and any
 * owner of a database may enable it), the search uses a sequential scan.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index people_newest on people (created_at desc, id desc)`.execute(db);
  await sql`
    do $$
    begin
      create extension if not exists pg_trgm;
      create index people_search on people using gin ((lower(name) || ' ' || username_key) gin_trgm_ops);
    exception when undefined_file or insufficient_privilege or feature_not_supported then
      raise notice 'pg_trgm is not there: people are searched without an index';
    end
    $$`.execute(db);
}
