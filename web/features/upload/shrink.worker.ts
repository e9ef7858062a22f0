import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { shrink } from './shrink.ts';

/** What this worker says of the one file that it is given; undefined where it is better sent as it is. */
export type FromWorker =
  | { progress: number }
  | { shrunk: { blob: Blob; sha256: string } | undefined }
  | { failed: string };

const tell = (message: FromWorker) => postMessage(message);

addEventListener('message', async ({ data: file }: MessageEvent<File>) => {
  try {
    let hashed: Promise<string> | undefined;
    const blob = await shrink(file, (progress) => {
      hashed ??= hashOf(file);
      tell({ progress });
    });
    tell({ shrunk: blob && { blob, sha256: await (hashed ?? hashOf(file)) } });
  } catch (error) {
    tell({ failed: String(error) });
  }
});

/** The original's: by it the server knows a file that was published before, however it was made smaller. */
async function hashOf(file: File): Promise<string> {
  const hash = sha256.create();
  const piece = 2 * 1024 * 1024;
  for (let at = 0; at < file.size; at += piece)
    hash.update(new Uint8Array(await file.slice(at, at + piece).arrayBuffer()));
  return bytesToHex(hash.digest());
}
