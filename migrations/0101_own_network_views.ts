import { type Kysely, sql } from 'kysely';

/**
 * Watched views without a login from the creator's own network. They count once three other accounts were seen there in their month
 * (docs/decisions/0073-own-network-decided-by-the-month.md); until then they are in no counter.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table own_network_views (
      creator_id uuid not null,
      day date not null,
      reel_id uuid not null,
      viewer bytea not null,
      -- hashed by the key of the month, as in seen_networks
      network bytea not null,
      watched_at timestamptz not null,
      primary key (creator_id, day, reel_id, viewer)
    )`.execute(db);
  // To find views that count once another account is seen in a network.
  await sql`create index own_network_views_by_network on own_network_views (network, creator_id)`.execute(db);
}
