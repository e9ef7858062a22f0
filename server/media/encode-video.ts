import { reelFiles } from './file-names.ts';
import { containerOf } from './inspect-video.ts';
import { type Bounds, runInChild } from './run-in-child.ts';
import type { Allowance } from './tasks/cost.ts';
import type { TranscodeOutput } from './tasks/transcode.ts';

/** Videos up to half a minute of full HD are not measured first: in no codec do they delay others. */
export const allowance: Allowance = {
  times: 3,
  seconds: 20,
  pixels: 30 * 30 * 1920 * 1080,
  trialSeconds: 20,
};
const bounds = { seconds: 12 * 60, silence: 60, memory: 2 * 1024 ** 3 };

/** What encoding a video may take; where something is left out, what the engine allows. */
export interface EncodingLimits {
  allowance?: Allowance;
  /** Longest it may work, in seconds. */
  seconds?: number;
  /** Longest it may take from one step to the next, in seconds. */
  silence?: number;
}

/**
 * Makes a reel's files in `folder`: the renditions, their poster, card and tile. Throws MediaRefusal where the video is
 * at fault, MediaWorkerCrash where it ended the process.
 */
export async function encodeVideo(
  path: string,
  folder: string,
  {
    signal,
    lending,
    onProgress,
    ...limits
  }: Pick<Bounds, 'signal' | 'lending' | 'onProgress'> & EncodingLimits = {},
): Promise<TranscodeOutput> {
  const container = await containerOf(path);
  const input = { path, container, folder, files: reelFiles, allowance: limits.allowance ?? allowance };
  const { seconds = bounds.seconds, silence = bounds.silence } = limits;
  return await runInChild('transcode', input, { ...bounds, seconds, silence, signal, lending, onProgress });
}
