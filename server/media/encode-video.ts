import { reelFiles } from './file-names.ts';
import { containerOf } from './inspect-video.ts';
import { type Bounds, runInChild } from './run-in-child.ts';
import type { Allowance } from './tasks/cost.ts';
import type { TranscodeOutput } from './tasks/transcode.ts';

/** Videos up to half a minute of full HD are short work, encoded without a trial: with any codec they do not delay others much. */
export const allowance: Allowance = {
  times: 3,
  seconds: 20,
  pixels: 30 * 30 * 1920 * 1080,
  trialSeconds: 20,
};
const bounds = { seconds: 12 * 60, silence: 60, memory: 2 * 1024 ** 3 };

/** Limits for encoding a video; by default those of the engine. */
export interface EncodingLimits {
  allowance?: Allowance;
  /** Maximum time in seconds. */
  seconds?: number;
  /** Maximum time between two steps, in seconds. */
  silence?: number;
}

type Options = Pick<Bounds, 'signal' | 'onProgress'> & EncodingLimits;

/**
 * Makes a reel's files in `folder`: the renditions, their poster, card and tile. Throws MediaRefusal if the video is
 * invalid, MediaWorkerCrash if it crashed the process.
 */
export async function encodeVideo(
  path: string,
  folder: string,
  options: Options = {},
): Promise<TranscodeOutput> {
  return await runInChild('transcode', await inputOf(path, folder, options), { ...bounds, ...options });
}

/** The same if the video is short work; null otherwise. */
export async function encodeIfShort(
  path: string,
  folder: string,
  options: Options = {},
): Promise<TranscodeOutput | null> {
  return await runInChild('transcodeIfShort', await inputOf(path, folder, options), {
    ...bounds,
    ...options,
  });
}

const inputOf = async (path: string, folder: string, options: Options) => ({
  path,
  container: await containerOf(path),
  folder,
  files: reelFiles,
  allowance: options.allowance ?? allowance,
});
