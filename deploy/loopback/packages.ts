import { existsSync } from 'node:fs';
import { StartupError } from '#server/platform/startup-error.ts';
import { tryToInstall } from '#testing/servers/install-packages.ts';

/** Programs from system packages that the topology needs; each package has the name of its program. */
const places = {
  nginx: ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx', '/usr/local/bin/nginx'],
  pgbouncer: [
    '/usr/sbin/pgbouncer',
    '/usr/bin/pgbouncer',
    '/opt/homebrew/bin/pgbouncer',
    '/usr/local/bin/pgbouncer',
  ],
} as const;

type Package = keyof typeof places;
type Packages = Record<Package, string>;

const names = Object.keys(places) as Package[];
const find = (name: Package): string | undefined => places[name].find((path) => existsSync(path));
const missing = () => names.filter((name) => !find(name));

/** The path of each. Throws a sentence that names the missing ones, and how to install them. */
export function findPackages(): Packages {
  const absent = missing();
  if (absent.length > 0) {
    const get = process.platform === 'darwin' ? 'brew install' : 'apt-get install -y';
    throw new StartupError(
      `This needs ${absent.join(' and ')}, which ${absent.length > 1 ? 'are' : 'is'} not installed: ${get} ${absent.join(' ')}`,
    );
  }
  return Object.fromEntries(names.map((name) => [name, find(name)])) as Packages;
}

/** Finds them or, as root on Debian, installs them without starting them; once, before the tests that need them. */
export function providePackages(): Packages {
  const absent = missing();
  if (absent.length > 0) {
    process.stdout.write(`Installing ${absent.join(' and ')} for the tests …\n`);
    tryToInstall(...absent);
  }
  return findPackages();
}
