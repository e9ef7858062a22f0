import { readFileSync } from 'node:fs';

/** Licences that are compatible with distribution under the AGPL, version 3 or later. */
const compatible = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]);
/** Packages whose package.json has no licence: BSD-3-Clause by its LICENSE, MIT by its Readme. */
const namedElsewhere = ['node_modules/@shinyoshiaki/jspack', 'node_modules/combine-errors'];

interface Locked {
  packages: Record<string, { license?: string; dev?: boolean }>;
}

/** Runtime dependencies whose licence is not accepted, by the lock file. */
export function unknownLicences(): string[] {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Locked;
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev && !namedElsewhere.includes(path))
    .filter(([, { license = '' }]) => !isCompatible(license))
    .map(([path, { license = 'names no licence' }]) => `${path}: ${license}`);
}

/** For an expression such as `(Apache-2.0 AND BSD-3-Clause)`: all of its licences with AND, one of them with OR. */
function isCompatible(expression: string): boolean {
  const parts = expression.replace(/[()]/g, '');
  return parts.split(' AND ').every((part) => part.split(' OR ').some((licence) => compatible.has(licence)));
}
