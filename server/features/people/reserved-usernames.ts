import { siteUsername } from '#contract/accounts.ts';
import { foldCase } from './fold-case.ts';

/** Whether nobody can take this username; to whoever tries, it is taken. */
export function isReserved(username: string): boolean {
  return foldCase(username) === siteUsername;
}
