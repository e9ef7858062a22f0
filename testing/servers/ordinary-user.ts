import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * A user other than root, to run the program as: this user, or for root a user without rights. Undefined if that
 * user cannot read the program, for example in root's own home folder.
 */
export function ordinaryUser(): { uid?: number; gid?: number } | undefined {
  if (process.getuid?.() !== 0) return {};
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return undefined;
    if (folder === dirname(folder)) return { uid: 65534, gid: 65534 };
  }
}
