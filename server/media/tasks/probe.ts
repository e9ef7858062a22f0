import { AV_PKT_FLAG_DISCARD, Decoder, type Demuxer, FFmpegError, type Stream } from 'node-av';
import { videoTooLong } from '#server/platform/refusal.ts';
import { MediaRefusal } from '../refusal.ts';
import type { VideoContainer } from '../sniff.ts';
import { isComplete } from './completeness.ts';
import { beat } from './heartbeat.ts';
import { openVideo, rotationOf, unreadable, videoStream } from './open-video.ts';

export interface ProbeInput {
  path: string;
  container: VideoContainer;
  maxSeconds: number;
  /** This much longer is tolerated. */
  toleranceSeconds: number;
  /** Maximum pixels of one picture. */
  maxPixels: number;
}

export interface ProbeOutput {
  /** By its packets, not by its header. */
  seconds: number;
  /** Upright, as displayed. */
  width: number;
  height: number;
  hasAudio: boolean;
}

/** Checks a video without encoding it; throws a Refusal if it cannot be used. */
export async function probe({ path, container, maxPixels, ...longest }: ProbeInput): Promise<ProbeOutput> {
  if (!(await isComplete(path, container))) {
    throw new MediaRefusal('file_incomplete');
  }
  const demuxer = await openVideo(path, container);
  try {
    const stream = videoStream(demuxer);
    const { width, height } = stream.codecpar;
    if (width * height > maxPixels) {
      throw new MediaRefusal('image_too_many_pixels', { what: 'video', width, height });
    }
    const seconds = await measure(demuxer, longest);
    await decodeOne(path, container);
    const isTurned = rotationOf(stream).degrees % 180 === 90;
    return {
      seconds,
      width: isTurned ? height : width,
      height: isTurned ? width : height,
      hasAudio: demuxer.audio() !== undefined,
    };
  } catch (error) {
    // Nothing was written, so an error of FFmpeg is caused by the file.
    throw error instanceof FFmpegError ? unreadable() : error;
  } finally {
    await demuxer.close();
  }
}

/** Reads the time of every packet. */
async function measure(
  demuxer: Demuxer,
  { maxSeconds, toleranceSeconds }: Pick<ProbeInput, 'maxSeconds' | 'toleranceSeconds'>,
): Promise<number> {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let packets = 0;
  for await (const packet of demuxer.packets()) {
    if (!packet) break;
    beat();
    const stream: Stream | undefined = demuxer.streams[packet.streamIndex];
    const time = packet.pts >= 0n || packet.dts < 0n ? packet.pts : packet.dts;
    // Cut off by an edit list: decoded, but never shown.
    const isShown = (packet.flags & AV_PKT_FLAG_DISCARD) === 0;
    if (stream && isShown && stream.codecpar.codecType <= 1) {
      const base = stream.timeBase.num / stream.timeBase.den;
      const at = Number(time) * base;
      if (Number.isFinite(at) && Math.abs(at) < 1e9) {
        first = Math.min(first, at);
        last = Math.max(last, at + Math.max(0, Number(packet.duration)) * base);
      }
      packets += 1;
    }
    packet.free();
    if (last - first > maxSeconds + toleranceSeconds) throw videoTooLong(maxSeconds);
  }
  if (packets === 0 || !(last > first)) throw unreadable();
  return last - first;
}

/** A header can claim anything: at least one picture must be decodable. */
async function decodeOne(path: string, container: VideoContainer): Promise<void> {
  const demuxer = await openVideo(path, container);
  try {
    const decoder = await Decoder.create(videoStream(demuxer), { exitOnError: false });
    let packets = 0;
    for await (const frame of decoder.frames(demuxer.packets(videoStream(demuxer).index))) {
      if (frame) {
        frame.free();
        return;
      }
      packets += 1;
      if (packets > 300) break;
    }
  } catch {
    throw unreadable();
  } finally {
    await demuxer.close();
  }
  throw unreadable();
}
