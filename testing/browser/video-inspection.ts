import { Decoder, Demuxer, FilterAPI, pipeline } from 'node-av';

/** What a viewer sees and hears of a clip that `shownClip` drew. */
export interface Watched {
  width: number;
  height: number;
  seconds: number;
  /** Colours of the top and the bottom of the first picture. */
  top: string;
  bottom: string;
  /** Second at which the middle turns white. */
  flashAt: number | undefined;
  hasAudio: boolean;
  /** Second of the first sound. */
  soundAt: number | undefined;
  /** Times of the key frames, in seconds. */
  keys: number[];
}

/** Red above and blue below; at the given second the middle turns white. */
export function shownClip(width: number, height: number, fps: number, flashAt: number): string {
  const third = 'w=iw:h=ih/3:t=fill';
  return [
    `color=blue:size=${width}x${height}:rate=${fps}`,
    `drawbox=${third}:color=red`,
    `drawbox=y=ih/3:${third}:color=white:enable='gte(t,${flashAt})'`,
  ].join(',');
}

/** Silence, and a tone from the given second on. */
export function heardClip(soundAt: number): string {
  return `aevalsrc='if(gte(t,${soundAt}),0.3*sin(2*PI*440*t),0)':s=48000`;
}

/** Decodes a whole MP4. */
export async function watch(path: string): Promise<Watched> {
  const [picture, sound] = [await watchPicture(path), await listen(path)];
  const seconds = Math.max(picture.until, sound.until);
  return { ...picture, ...sound, seconds, keys: await keysOf(path) };
}

async function keysOf(path: string): Promise<number[]> {
  const demuxer = await Demuxer.open(path, { format: 'mov' });
  try {
    const keys: number[] = [];
    for await (const packet of demuxer.packets(demuxer.video()?.index)) {
      if (!packet) break;
      if (packet.isKeyframe) keys.push(secondsOf(packet));
      packet.free();
    }
    return keys;
  } finally {
    await demuxer.close();
  }
}

async function watchPicture(path: string) {
  const demuxer = await Demuxer.open(path, { format: 'mov' });
  try {
    const stream = demuxer.video();
    if (!stream) throw new Error('there is no picture');
    const decoder = await Decoder.create(stream);
    const filter = FilterAPI.create('format=rgb24');
    const seen = {
      width: 0,
      height: 0,
      top: '',
      bottom: '',
      until: 0,
      flashAt: undefined as number | undefined,
    };
    for await (const frame of pipeline(demuxer, decoder, filter)) {
      if (!frame) break;
      const { width, height } = frame;
      const pixels = frame.toBuffer();
      const at = (down: number) => {
        const start = (Math.floor(down * height) * width + Math.floor(width / 2)) * 3;
        return [...pixels.subarray(start, start + 3)] as [number, number, number];
      };
      const time = secondsOf(frame);
      if (!seen.top)
        Object.assign(seen, { width, height, top: colorOf(at(0.15)), bottom: colorOf(at(0.85)) });
      if (seen.flashAt === undefined && colorOf(at(0.5)) === 'white') seen.flashAt = time;
      seen.until = time + (Number(frame.duration) * frame.timeBase.num) / frame.timeBase.den;
      frame.free();
    }
    return seen;
  } finally {
    await demuxer.close();
  }
}

async function listen(path: string) {
  const demuxer = await Demuxer.open(path, { format: 'mov' });
  try {
    const stream = demuxer.audio();
    const heard = { hasAudio: stream !== undefined, soundAt: undefined as number | undefined, until: 0 };
    if (!stream) return heard;
    const decoder = await Decoder.create(stream);
    const filter = FilterAPI.create('aformat=sample_fmts=flt:channel_layouts=mono');
    for await (const frame of filter.frames(decoder.frames(demuxer.packets(stream.index)))) {
      if (!frame) break;
      const bytes = frame.toBuffer();
      const samples = new Float32Array(bytes.buffer, bytes.byteOffset, frame.nbSamples);
      const loud = samples.findIndex((sample) => Math.abs(sample) > 0.05);
      const start = secondsOf(frame);
      if (heard.soundAt === undefined && loud !== -1) heard.soundAt = start + loud / frame.sampleRate;
      heard.until = start + frame.nbSamples / frame.sampleRate;
      frame.free();
    }
    return heard;
  } finally {
    await demuxer.close();
  }
}

function secondsOf({ pts, timeBase }: { pts: bigint; timeBase: { num: number; den: number } }): number {
  return (Number(pts) * timeBase.num) / timeBase.den;
}

function colorOf([red, green, blue]: [number, number, number]): string {
  const [isRed, isGreen, isBlue] = [red > 110, green > 110, blue > 110];
  if (isRed && isGreen && isBlue) return 'white';
  if (isRed && !isGreen && !isBlue) return 'red';
  if (!isRed && !isGreen && isBlue) return 'blue';
  return `rgb(${red}, ${green}, ${blue})`;
}
