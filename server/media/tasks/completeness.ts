import { type FileHandle, open } from 'node:fs/promises';
import type { VideoContainer } from '../sniff.ts';

/** Whether a file is as long as its header says: an interrupted transfer leaves a truncated container. */
export async function isComplete(path: string, container: VideoContainer): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (container === 'mov') return await areBoxesComplete(file, size);
    if (container === 'matroska') return await isSegmentComplete(file, size);
    if (container === 'avi') return (await read(file, 4, 4)).readUInt32LE() + 8 <= size + 1;
    return true;
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/**
 * MP4 and QuickTime: the index (moov) exists, and all boxes with media end inside the file, or at least everything in the index; other
 * trailing data may be anything.
 */
async function areBoxesComplete(file: FileHandle, size: number): Promise<boolean> {
  let position = 0;
  let hasIndex = false;
  let named = Number.POSITIVE_INFINITY;
  for (let boxes = 0; position + 8 <= size && boxes < 100_000; boxes += 1) {
    const head = await read(file, position, 16);
    const type = head.toString('latin1', 4, 8);
    let length = head.readUInt32BE(0);
    if (length === 1 && head.length === 16) length = Number(head.readBigUInt64BE(8));
    else if (length === 0) length = size - position;
    if (length < 8) return hasIndex;
    if (position + length > size)
      return hasIndex && (type === 'mdat' ? named <= size : !/^moo[vf]$/.test(type));
    if (type === 'moov') {
      hasIndex = true;
      if (length <= longestIndex) named = mediaEnd(await read(file, position, length));
    }
    position += length;
  }
  return hasIndex;
}

/** Far more than an index of three minutes needs. */
const longestIndex = 64 * 1024 * 1024;

/** Offset at which the last sample named by the index ends; infinite if it cannot be computed. */
function mediaEnd(moov: Buffer): number {
  try {
    const tables = boxesIn(moov, 8, moov.length, ['trak', 'mdia', 'minf', 'stbl']);
    // Each fragment lists its own samples.
    if (boxesIn(moov, 8, moov.length, ['mvex']).length > 0 || tables.length === 0)
      return Number.POSITIVE_INFINITY;
    return Math.max(...tables.map(([start, end]) => samplesEnd(moov, start, end)));
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

type Part = readonly [start: number, end: number];

/** The contents of the boxes at a path of names. */
function boxesIn(bytes: Buffer, start: number, end: number, [name, ...inner]: string[]): Part[] {
  const boxes: Part[] = [];
  for (let at = start; at + 8 <= end; ) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > end) break;
    if (bytes.toString('latin1', at + 4, at + 8) === name) {
      if (inner.length === 0) boxes.push([at + 8, at + length]);
      else boxes.push(...boxesIn(bytes, at + 8, at + length, inner));
    }
    at += length;
  }
  return boxes;
}

/** The end of the last sample of one track. */
function samplesEnd(moov: Buffer, start: number, end: number): number {
  const table = (name: string) => boxesIn(moov, start, end, [name])[0]?.[0];
  const [sizes, groups, short, long] = [table('stsz'), table('stsc'), table('stco'), table('co64')];
  const chunks = short ?? long;
  if (sizes === undefined || groups === undefined || chunks === undefined)
    throw new RangeError('a table is missing');
  const alike = moov.readUInt32BE(sizes + 4);
  let last = 0;
  let sample = 0;
  let group = 0;
  for (let chunk = 0; chunk < moov.readUInt32BE(chunks + 4); chunk += 1) {
    const isNext =
      group + 1 < moov.readUInt32BE(groups + 4) && moov.readUInt32BE(groups + 20 + 12 * group) === chunk + 1;
    if (isNext) group += 1;
    const samples = moov.readUInt32BE(groups + 12 + 12 * group);
    let at =
      short === undefined
        ? Number(moov.readBigUInt64BE(chunks + 8 + 8 * chunk))
        : moov.readUInt32BE(short + 8 + 4 * chunk);
    if (alike > 0) at += alike * samples;
    else
      for (let next = 0; next < samples; next += 1) at += moov.readUInt32BE(sizes + 12 + 4 * (sample + next));
    sample += samples;
    last = Math.max(last, at);
  }
  return last;
}

/** Matroska and WebM: the segment, if its length is known, ends inside the file. */
async function isSegmentComplete(file: FileHandle, size: number): Promise<boolean> {
  const head = await read(file, 0, 4096);
  const headerLength = readVint(head, 4);
  if (!headerLength) return true;
  const segment = 4 + headerLength.bytes + headerLength.value;
  if (segment + 12 > head.length || head.readUInt32BE(segment) !== 0x18538067) return true;
  const length = readVint(head, segment + 4);
  if (!length || length.unknown) return true;
  return segment + 4 + length.bytes + length.value <= size;
}

function readVint(bytes: Buffer, at: number) {
  const first = bytes[at];
  if (!first) return undefined;
  const length = Math.clz32(first) - 23;
  if (at + length > bytes.length) return undefined;
  let value = BigInt(first & ((1 << (8 - length)) - 1));
  for (let index = 1; index < length; index += 1) value = (value << 8n) | BigInt(bytes[at + index] ?? 0);
  const unknown = value === (1n << BigInt(7 * length)) - 1n;
  return { bytes: length, value: Number(value), unknown };
}
