import {
  type AudioCodec,
  BlobSource,
  BufferTarget,
  Conversion,
  getFirstEncodableAudioCodec,
  getFirstEncodableVideoCodec,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  Quality,
} from 'mediabunny';
import { oneFileFormats } from '../media/video-formats.ts';
import { type CompressionPlan, compressionPlan, isSmaller } from './compression-plan.ts';

/** The lengths before and after may differ by at most this many seconds. */
const lengthTolerance = 0.5;
/** A slower encoder is stopped: the limit is a fixed time, and a time for each second of the video. */
const timeLimit = { seconds: 60, perSecond: 2 };

/**
 * Compresses a video: rotation applied, sound in sync, no metadata about location and device. Undefined where this does not
 * pay off or the browser cannot do it; throws if it fails. In both cases the original is sent.
 */
export async function compress(file: File, onProgress: (share: number) => void): Promise<Blob | undefined> {
  const input = new Input({ source: new BlobSource(file), formats: oneFileFormats });
  try {
    const picture = await input.getPrimaryVideoTrack();
    // The server converts HDR to the range of ordinary screens, so HDR videos are not compressed here.
    if (!picture || (await picture.hasHighDynamicRange()) || !(await picture.canDecode())) return undefined;
    // The server decides which of several sound tracks is heard, by what can be decoded.
    const sounds = await input.getAudioTracks();
    if (sounds.length > 1) return undefined;
    const seconds = await input.computeDuration();
    const [width, height] = [await picture.getDisplayWidth(), await picture.getDisplayHeight()];
    const { averageFrameRate: rate } = await picture.computeFrameRateMetrics();
    const plan = compressionPlan({ bytes: file.size, width, height, seconds, rate });
    const conversion = plan && (await conversionBy(plan, input, picture, sounds[0]));
    if (!conversion) return undefined;
    await execute(conversion, seconds, onProgress);
    const bytes = (conversion.output.target as BufferTarget).buffer;
    if (!bytes || !isSmaller(file.size, bytes.byteLength)) return undefined;
    const blob = new Blob([bytes], { type: 'video/mp4' });
    const lost = Math.abs((await lengthOf(blob)) - (seconds - Math.max(0, await input.getFirstTimestamp())));
    if (lost > lengthTolerance) throw new Error(`${lost} seconds are missing`);
    return blob;
  } finally {
    input.dispose();
  }
}

/** Undefined where the video or audio track would be lost. */
async function conversionBy(
  plan: CompressionPlan,
  input: Input,
  picture: InputVideoTrack,
  sound: InputAudioTrack | undefined,
): Promise<Conversion | undefined> {
  const { width, height, bitrate, rate } = plan;
  const quality = new Quality({ bitrate });
  const codec = await getFirstEncodableVideoCodec(['avc', 'vp9'], { width, height, quality });
  if (!codec) return undefined;
  const conversion = await Conversion.init({
    input,
    output: new Output({ format: new Mp4OutputFormat({ fastStart: false }), target: new BufferTarget() }),
    tracks: 'primary',
    video: {
      codec,
      width,
      height,
      fit: 'contain',
      quality,
      forceTranscode: true,
      allowTransformationMetadata: false,
      ...(rate ? { frameRate: rate } : {}),
    },
    audio: await audioOptions(sound),
    tags: {},
    showWarnings: false,
  });
  const used = new Set(conversion.utilizedTracks.map(({ id }) => id));
  const isWhole = used.has(picture.id) && (!sound || used.has(sound.id));
  return conversion.isValid && isWhole ? conversion : undefined;
}

/** Compressed audio is copied; uncompressed audio is encoded. */
async function audioOptions(sound: InputAudioTrack | undefined) {
  const from = await sound?.getCodec();
  if (!from || !(from.startsWith('pcm') || from === 'flac')) return {};
  const wanted: AudioCodec[] = ['aac', 'opus'];
  const codec = await getFirstEncodableAudioCodec(wanted);
  return codec ? { codec, quality: new Quality({ bitrate: 192_000 }) } : {};
}

/** Throws if this device takes too long. */
async function execute(conversion: Conversion, seconds: number, onProgress: (share: number) => void) {
  const allowed = (timeLimit.seconds + timeLimit.perSecond * seconds) * 1000;
  const timer = setTimeout(() => void conversion.cancel(), allowed);
  conversion.onProgress = onProgress;
  try {
    await conversion.execute();
  } finally {
    clearTimeout(timer);
  }
}

async function lengthOf(blob: Blob): Promise<number> {
  const input = new Input({ source: new BlobSource(blob), formats: oneFileFormats });
  try {
    return await input.computeDuration();
  } finally {
    input.dispose();
  }
}
