import { AV_LOG_ERROR, AV_NOPTS_VALUE, AV_PKT_DATA_DISPLAYMATRIX, Demuxer, Log, type Stream } from 'node-av';
import { MediaRefusal } from '../refusal.ts';
import type { VideoContainer } from '../sniff.ts';

export interface Turn {
  /** Clockwise rotation in degrees for display. */
  degrees: 0 | 90 | 180 | 270;
  flipped: boolean;
}

Log.setLevel(AV_LOG_ERROR);

export const unreadable = () => new MediaRefusal('file_unreadable', { what: 'video' });

/** Demuxers with several names. */
const namesOf: Partial<Record<VideoContainer, string>> = {
  mov: 'mov,mp4,m4a,3gp,3g2,mj2',
  matroska: 'matroska,webm',
};

/** Opens a file with the sniffed demuxer only, and no protocol except `file`. */
export async function openVideo(path: string, container: VideoContainer): Promise<Demuxer> {
  try {
    return await Demuxer.open(path, {
      format: container,
      options: {
        protocol_whitelist: 'file',
        // No other demuxer may be opened for nested data.
        format_whitelist: namesOf[container] ?? container,
      } as never,
    });
  } catch {
    throw unreadable();
  }
}

/** The video stream that is not a cover, with a real size. */
export function videoStream(demuxer: Demuxer): Stream {
  const attachedPicture = 0x400;
  const stream = demuxer.streams.find(
    ({ codecpar, disposition }) =>
      codecpar.codecType === 0 && (disposition & attachedPicture) === 0 && codecpar.width > 0,
  );
  if (!stream) throw new MediaRefusal('file_not_video', { what: 'no_picture' });
  return stream;
}

/** The rotation for display (the phone's orientation flag). */
export function rotationOf(stream: Stream): Turn {
  const data = stream.codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!data || data.length < 36) return { degrees: 0, flipped: false };
  const at = (index: number) => data.readInt32LE(index * 4) / 65536;
  const [a, b, c, d] = [at(0), at(1), at(3), at(4)];
  const flipped = a * d - b * c < 0;
  // A mirrored picture is mirrored first and then rotated.
  const angle = ((flipped ? Math.atan2(-b, -a) : Math.atan2(b, a)) * 180) / Math.PI;
  const degrees = (((Math.round(angle / 90) * 90) % 360) + 360) % 360;
  return { degrees: degrees as Turn['degrees'], flipped };
}

/** Timestamp of the beginning in seconds; broadcast formats can begin at any time. */
export function startOf(demuxer: Demuxer): number {
  const start = demuxer.getFormatContext().startTime;
  return start === AV_NOPTS_VALUE ? 0 : Number(start) / 1e6;
}
