import { createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { readSettingFile } from '#server/platform/setting-paths.ts';

const account = z.object({
  project_id: z.string().regex(/^[a-z0-9-]+$/),
  client_email: z.string().min(3),
  private_key: z.string().min(100),
});
export type FcmAccount = z.output<typeof account>;

/** The key file of a service account, in the format of Google's console. */
export function readFcmAccount(path: string): FcmAccount {
  try {
    const read = account.parse(JSON.parse(readSettingFile(path)));
    createPrivateKey(read.private_key);
    return read;
  } catch {
    throw new Error(`${path} is not the key file of a service account`);
  }
}
