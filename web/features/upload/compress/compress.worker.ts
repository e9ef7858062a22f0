import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { compress } from './compress.ts';

/** The worker's messages about its one file. `compressed` is undefined where the original should be sent. */
export type WorkerMessage =
  | { progress: number }
  | { compressed: { blob: Blob; sha256: string } | undefined }
  | { failed: string };

const send = (message: WorkerMessage) => postMessage(message);

addEventListener('message', async ({ data: file }: MessageEvent<File>) => {
  try {
    let hashed: Promise<string> | undefined;
    const blob = await compress(file, (progress) => {
      hashed ??= hashOf(file);
      send({ progress });
    });
    send({ compressed: blob && { blob, sha256: await (hashed ?? hashOf(file)) } });
  } catch (error) {
    send({ failed: String(error) });
  }
});

/** The hash of the original file. It lets the server recognize a file that was published before, however it was compressed. */
async function hashOf(file: File): Promise<string> {
  const hash = sha256.create();
  const piece = 2 * 1024 * 1024;
  for (let at = 0; at < file.size; at += piece)
    hash.update(new Uint8Array(await file.slice(at, at + piece).arrayBuffer()));
  return bytesToHex(hash.digest());
}
