import { open } from 'node:fs/promises';

/** FFmpeg's demuxers that an upload may reach; nothing else is ever opened (decisions §7). */
export type VideoContainer = 'mov' | 'matroska' | 'avi' | 'mpegts';
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'heic';

export type Sniffed =
  | { kind: 'video'; container: VideoContainer }
  | { kind: 'image'; format: ImageFormat }
  | { kind: 'empty' }
  | { kind: 'other' };

/** What a file is by its first bytes; its name and declared type are anyone's claim. */
export async function sniff(path: string): Promise<Sniffed> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return bytesRead === 0 ? { kind: 'empty' } : sniffBytes(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

function sniffBytes(head: Buffer): Sniffed {
  const ascii = (from: number, to: number) => head.toString('latin1', from, to);
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return { kind: 'image', format: 'jpeg' };
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return { kind: 'image', format: 'png' };
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return { kind: 'image', format: 'webp' };
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'AVI ') return { kind: 'video', container: 'avi' };
  if (head.length >= 4 && head.readUInt32BE(0) === 0x1a45dfa3)
    return { kind: 'video', container: 'matroska' };
  if (head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47)
    return { kind: 'video', container: 'mpegts' };
  if (ascii(4, 8) === 'ftyp') return sniffBrands(ascii(8, Math.min(head.length, 64)));
  if (/^(moov|mdat|wide|free|skip|pnot)$/.test(ascii(4, 8))) return { kind: 'video', container: 'mov' };
  return { kind: 'other' };
}

/** Pictures and films share one container; its brands tell them apart. */
function sniffBrands(brands: string): Sniffed {
  if (/^avi[fs]/.test(brands)) return { kind: 'image', format: 'avif' };
  if (/^(heic|heix|heim|heis|hevc|hevx|mif1|msf1)/.test(brands)) {
    return { kind: 'image', format: /avif/.test(brands) ? 'avif' : 'heic' };
  }
  return { kind: 'video', container: 'mov' };
}
