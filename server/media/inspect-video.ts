import { limits } from '#contract/limits.ts';
import type { Client } from '../platform/fair-queue.ts';
import { MediaRefusal } from './refusal.ts';
import { runInChild } from './run-in-child.ts';
import { sniff, type VideoContainer } from './sniff.ts';
import type { ProbeOutput } from './tasks/probe.ts';

/** Maximum picture size of a video: 8K. */
const maxPixels = 7680 * 4320;
const bounds = { seconds: 60, silence: 20, memory: 1024 ** 3, refuseDeadly: true };

/** Checks an uploaded video; throws MediaRefusal with the reason if it cannot be used. Changes nothing. */
export async function inspectVideo(path: string, client?: Client): Promise<ProbeOutput> {
  const container = await containerOf(path);
  return await runInChild('probe', { path, container, ...limits.video, maxPixels }, { ...bounds, client });
}

/** The container by the file's first bytes; other files are refused. */
export async function containerOf(path: string): Promise<VideoContainer> {
  const sniffed = await sniff(path);
  if (sniffed.kind === 'empty') throw new MediaRefusal('file_empty', {}, 'file');
  if (sniffed.kind === 'image') throw new MediaRefusal('file_not_video', { what: 'picture' }, 'file');
  if (sniffed.kind === 'refused')
    throw new MediaRefusal('video_kind_refused', { kind: sniffed.name }, 'file');
  if (sniffed.kind !== 'video') throw new MediaRefusal('file_not_video', { what: 'unreadable' }, 'file');
  return sniffed.container;
}
