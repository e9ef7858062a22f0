import { open } from 'node:fs/promises';

/** FFmpeg's demuxers that an upload may reach; nothing else is ever opened (decisions §7). */
export type VideoContainer = 'mov' | 'matroska' | 'avi' | 'mpegts' | 'mpeg' | 'flv' | 'mxf' | 'ogg' | 'asf';
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic';

export type Sniffed =
  | { kind: 'video'; container: VideoContainer }
  | { kind: 'image'; format: ImageFormat }
  /** The name of a known kind that is not supported. */
  | { kind: 'refused'; name: string }
  | { kind: 'empty' }
  | { kind: 'other' };

/** Transport streams may begin with this many other bytes, and MXF with a run-in. */
const headBytes = 64 * 1024;

/** The kind of a file by its first bytes; its name and declared type are only claims. */
export async function sniff(path: string): Promise<Sniffed> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return bytesRead === 0 ? { kind: 'empty' } : sniffBytes(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

const video = (container: VideoContainer): Sniffed => ({ kind: 'video', container });
const image = (format: ImageFormat): Sniffed => ({ kind: 'image', format });

function sniffBytes(head: Buffer): Sniffed {
  const ascii = (from: number, to: number) => head.toString('latin1', from, to);
  const begins = (hex: string) => head.subarray(0, hex.length / 2).equals(Buffer.from(hex, 'hex'));
  if (begins('ffd8ff')) return image('jpeg');
  if (begins('89504e470d0a1a0a')) return image('png');
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return image('webp');
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'AVI ') return video('avi');
  if (begins('1a45dfa3')) return video('matroska');
  if (ascii(4, 8) === 'ftyp') return sniffBrands(ascii(8, Math.min(head.length, 64)));
  if (/^(moov|mdat|wide|free|skip|pnot)$/.test(ascii(4, 8))) return video('mov');
  if (begins('464c5601')) return video('flv');
  if (begins('4f676753')) return video('ogg');
  if (begins('3026b2758e66cf11a6d900aa0062ce6c')) return video('asf');
  if (begins('000001ba')) return video('mpeg');
  const refused = Object.entries(refusedKinds).find(([, starts]) => starts.some(begins));
  if (refused) return { kind: 'refused', name: refused[0] };
  if (head.includes(partitionPack)) return video('mxf');
  if (isTransportStream(head)) return video('mpegts');
  return { kind: 'other' };
}

/** The first bytes of MXF, behind its run-in. */
const partitionPack = Buffer.from('060e2b34020501010d010201', 'hex');

/** Kinds of videos that are known but not supported, by their first bytes. */
const refusedKinds: Record<string, string[]> = {
  GIF: ['47494638'],
  RealMedia: ['2e524d46'],
  Flash: ['465753', '435753', '5a5753'],
  DV: ['1f0700'],
  IVF: ['444b4946'],
  Y4M: ['595556344d50454732'],
  NUT: ['6e75742f6d756c74696d65646961'],
  WTV: ['b7d800203749da11'],
  'raw video': ['000001b3', '0000000109', '0000000127', '0000000140', '0000000146', '0000000167'],
};

/** Five packets in a row (three are enough at the very beginning), of 188 bytes or, as from camcorders, of 192. */
function isTransportStream(head: Buffer): boolean {
  const sync = 0x47;
  const packets = (start: number, length: number, count: number) =>
    Array.from({ length: count }, (_, index) => head[start + index * length]).every((byte) => byte === sync);
  if (packets(0, 188, 3) || packets(4, 192, 3)) return true;
  for (let start = head.indexOf(sync); start !== -1; start = head.indexOf(sync, start + 1))
    if (packets(start, 188, 5) || packets(start, 192, 5)) return true;
  return false;
}

/** Pictures and videos share one container; its brands distinguish them. */
function sniffBrands(brands: string): Sniffed {
  if (/^avi[fs]/.test(brands)) return image('avif');
  if (/^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/.test(brands)) {
    return image(/avif/.test(brands) ? 'avif' : 'heic');
  }
  return video('mov');
}
