import { AVSEEK_FLAG_BACKWARD, Decoder, type Demuxer, FilterAPI, type Frame } from 'node-av';
import { beat } from './heartbeat.ts';
import { openVideo, unreadable, videoStream } from './open-video.ts';
import { type PictureFiles, writePictures } from './poster.ts';

export interface CoverInput {
  /** Path of one of our renditions. */
  path: string;
  /** The frame that is shown at this second. */
  second: number;
  files: PictureFiles;
}

export interface CoverOutput {
  placeholder: string;
}

/** Makes the pictures of a reel from the frame that its creator chose. */
export async function cover({ path, second, files }: CoverInput): Promise<CoverOutput> {
  const source = await openVideo(path, 'mov');
  try {
    const frame = await frameAt(source, second);
    const { width, height } = frame;
    const [picture] = await FilterAPI.create('format=rgb24').processAll(frame);
    if (!picture) throw unreadable();
    return { placeholder: await writePictures(picture.toBuffer(), { width, height }, files) };
  } finally {
    await source.close();
  }
}

/** The last frame that begins at this second or before; the first one if none does. */
async function frameAt(source: Demuxer, second: number): Promise<Frame> {
  const stream = videoStream(source);
  const decoder = await Decoder.create(stream);
  // To the key frame before it.
  await source.seek(second, -1, AVSEEK_FLAG_BACKWARD);
  let shown: Frame | undefined;
  for await (const frame of decoder.frames(source.packets(stream.index))) {
    if (!frame) break;
    beat();
    if (shown && secondOf(frame) > second) break;
    shown?.free();
    shown = frame;
  }
  if (!shown) throw unreadable();
  return shown;
}

const secondOf = ({ pts, timeBase: { num, den } }: Frame) => (Number(pts) * num) / den;
