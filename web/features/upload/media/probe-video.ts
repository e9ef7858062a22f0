import { BlobSource, CanvasSink, Input, type InputVideoTrack, MPEG_TS } from 'mediabunny';
import { limits } from '#contract/limits.ts';
import { frameTime } from './frame-time.ts';
import { oneFileFormats } from './video-formats.ts';

const open = (file: File) => new Input({ source: new BlobSource(file), formats: oneFileFormats });

export type Probe =
  /** An unknown container or a damaged file: only the server can decide. */
  | { known: false }
  /** `seconds` is undefined where the file has no video track. */
  | { known: true; seconds: number | undefined };

/** Reads the length of a video from its index and last packets; name and declared type are ignored. */
export async function probeVideo(file: File): Promise<Probe> {
  const input = open(file);
  try {
    if (!(await input.canRead())) return { known: false };
    const track = await input.getPrimaryVideoTrack();
    if (track) return { known: true, seconds: await lengthOf(track) };
    // Of a transport stream the library leaves out tracks whose codec it does not know, as the MPEG-2 of older cameras.
    return (await input.getFormat()) === MPEG_TS ? { known: false } : { known: true, seconds: undefined };
  } catch {
    // The file is damaged or incomplete, and the server has an error message for that.
    return { known: false };
  } finally {
    input.dispose();
  }
}

const lengthOf = async (track: InputVideoTrack) =>
  (await track.computeDuration()) - Math.max(0, await track.getFirstTimestamp());

/** The frame at 1 s, rotated and cropped for the thumbnail, of a file that a video element cannot play. */
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
