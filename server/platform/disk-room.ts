import { statfs } from 'node:fs/promises';
import { noRoom } from './outage.ts';

/** Refuses where so many more bytes would leave less of the disk under `folder` free than `reserve` (bytes both). */
export async function leaveRoom(folder: string, reserve: number, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize - bytes < reserve) throw noRoom();
}
