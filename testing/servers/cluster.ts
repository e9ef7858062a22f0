import pg from 'pg';
import { openDatabase } from '#server/platform/database/database.ts';
import { distribute } from '#server/platform/database/spread.ts';
import { runStatements } from './statements.ts';

/** The addresses of all nodes of the cluster, as a superuser, the coordinator first. */
export async function nodesOf(coordinator: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: coordinator });
  await client.connect();
  const { rows } = await client.query<{ name: string; port: number }>(
    'select nodename as name, nodeport as port from pg_dist_node where isactive order by groupid',
  );
  await client.end();
  return rows.map(({ name, port }) => {
    const url = new URL(coordinator);
    url.hostname = name;
    url.port = String(port);
    return url.href;
  });
}

/** Makes a cluster of databases of one name that exist on these nodes, with four shards of each table that will be spread. */
export async function connectDatabases(nodes: readonly string[], name: string): Promise<void> {
  const [coordinator = '', ...workers] = nodes.map((node) => addressOf(node, name));
  for (const node of [coordinator, ...workers]) await runStatements(node, 'create extension citus');
  const placeOf = (node: string) => {
    const { hostname, port } = new URL(node);
    return `('${hostname}', ${port})`;
  };
  await runStatements(
    coordinator,
    `alter database ${name} set citus.shard_count = 4`,
    `select citus_set_coordinator_host${placeOf(coordinator)}`,
    ...workers.map((worker) => `select citus_add_node${placeOf(worker)}`),
  );
}

export function addressOf(node: string, database: string): string {
  const url = new URL(node);
  url.pathname = `/${database}`;
  return url.href;
}

/** Spreads all tables, of a database that is still empty. */
export async function spreadAll(coordinator: string): Promise<void> {
  // Connections of pools that were closed a moment ago may still be ending.
  await runStatements(
    coordinator,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  const db = await openDatabase(coordinator, 3);
  await distribute(db);
  await db.destroy();
}
