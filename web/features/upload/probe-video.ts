import { BlobSource, CanvasSink, Input, type InputVideoTrack } from 'mediabunny';
import { limits } from '#contract/limits.ts';
import { oneFileFormats } from './formats.ts';
import { frameTime } from './frame-time.ts';

const open = (file: File) => new Input({ source: new BlobSource(file), formats: oneFileFormats });

export type Probe =
  /** Not one of our containers, or not understood: the server will judge. */
  | { known: false }
  /** `seconds` is undefined where there is no picture. */
  | { known: true; seconds: number | undefined };

/** What a file holds, read from its index and last packets, whatever its name and declared type. */
export async function probeVideo(file: File): Promise<Probe> {
  const input = open(file);
  try {
    if (!(await input.canRead())) return { known: false };
    const track = await input.getPrimaryVideoTrack();
    return { known: true, seconds: track ? await lengthOf(track) : undefined };
  } catch {
    // Damaged or cut short: the server has the sentence for it.
    return { known: false };
  } finally {
    input.dispose();
  }
}

const lengthOf = async (track: InputVideoTrack) =>
  (await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp());

/** The frame at 1 s, upright and filling the thumbnail, of a file that a video element does not play. */
export async function frameOf(file: File): Promise<HTMLCanvasElement | OffscreenCanvas | undefined> {
  const input = open(file);
  try {
    const track = await input.getPrimaryVideoTrack();
    if (!track || !(await track.canDecode())) return undefined;
    const { width, height } = limits.thumbnail;
    const at = (await track.getFirstTimestamp()) + frameTime(await lengthOf(track));
    const frame = await new CanvasSink(track, { width, height, fit: 'cover' }).getCanvas(at);
    return frame?.canvas;
  } finally {
    input.dispose();
  }
}
