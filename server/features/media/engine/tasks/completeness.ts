import { type FileHandle, open } from 'node:fs/promises';
import type { VideoContainer } from '../sniff.ts';

/** Whether a file is as long as it says it is: a transfer that broke off leaves a container that promises more. */
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

/** MP4 and QuickTime: the index (moov) is there, and all boxes that hold media end inside the file; what else trails along may be anything. */
async function areBoxesComplete(file: FileHandle, size: number): Promise<boolean> {
  let position = 0;
  let hasIndex = false;
  for (let boxes = 0; position + 8 <= size && boxes < 100_000; boxes += 1) {
    const head = await read(file, position, 16);
    const type = head.toString('latin1', 4, 8);
    let length = head.readUInt32BE(0);
    if (length === 1 && head.length === 16) length = Number(head.readBigUInt64BE(8));
    else if (length === 0) length = size - position;
    if (length < 8) return hasIndex;
    if (type === 'moov') hasIndex = true;
    if (position + length > size) return hasIndex && !/^(moov|moof|mdat)$/.test(type);
    position += length;
  }
  return hasIndex;
}

/** Matroska and WebM: the segment, where its length is known, ends inside the file. */
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
