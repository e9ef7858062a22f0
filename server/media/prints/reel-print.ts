import {
  decodePrint,
  encodePrint,
  indexKey,
  keysLike,
  mirroredSpot,
  type PicturePrint,
} from './picture-print.ts';
import { type SoundWord, weakBitsOfWord } from './sound-words.ts';

/**
 * The print of a reel (docs/decisions/0070-copies-of-reels.md): pictures of its calm moments, and words of its sound. While it is compared
 * with earlier reels, it also has all frames, since their calm moments can be at other times.
 */
export interface ReelPrint {
  seconds: number;
  moments: Moment[];
  words: SoundWord[];
  frames: Frame[];
}

export interface Moment {
  /** In seconds. */
  at: number;
  picture: PicturePrint;
}

/** Grey values of a moment's picture. */
export interface Frame {
  at: number;
  grey: Buffer;
}

/** Separates keys of reels from those of pictures, and keys of sound from both. */
const ofReels = 2 ** 33;
const ofSound = 2 ** 34;
/** Maximum of stored words and their least distance, two a second; and maximum of searched consecutive words. */
const [keptWords, keptStep] = [96, 4];
const searchedWords = 192;

/** The words by which a reel is found. */
function kept(words: readonly SoundWord[]): SoundWord[] {
  const step = Math.max(keptStep, Math.ceil((words.at(-1)?.index ?? 0) / keptWords));
  return words.filter(({ index }) => index % step === 0);
}

/** All keys by which a reel is found. */
export function keysOfReel({ moments, words }: ReelPrint): number[] {
  const seen = moments.flatMap(({ picture }) => picture.spots.map((spot) => ofReels + indexKey(spot)));
  return [...seen, ...kept(words).map(({ word }) => ofSound + word)];
}

/** The keys by which copies are searched: those of its pictures, and those of its sound. */
export function searchesOfReel({ moments, words }: ReelPrint): [seen: number[], heard: number[]] {
  const seen = moments.flatMap(({ picture }) =>
    picture.spots.flatMap((spot) =>
      [spot, mirroredSpot(spot)].flatMap((seen) =>
        // For whole pictures all similar keys are searched; for spots there would be too many.
        keysLike(seen, spot.size === 1 ? 2 : 1).map((key) => ofReels + key),
      ),
    ),
  );
  const first = Math.max(0, Math.floor((words.length - searchedWords) / 2));
  const heard = words.slice(first, first + searchedWords).flatMap(({ word, weak }) => {
    const turned = (choice: number) =>
      weak.reduce((mask, bit, index) => (choice & (1 << index) ? mask | (1 << bit) : mask), 0);
    return Array.from({ length: 2 ** weak.length }, (_, choice) => ofSound + ((word ^ turned(choice)) >>> 0));
  });
  return [seen, heard];
}

/** The part of a reel's print that is stored after publication. */
export const withoutFrames = (print: ReelPrint): ReelPrint => ({
  ...print,
  words: kept(print.words),
  frames: [],
});

export const reelVersion = 2;
const headBytes = 1 + 4 * 2;
const wordBytes = 2 + 4 + weakBitsOfWord;
/** Times are stored in hundredths of a second. */
const exactly = 100;

export function encodeReel({ seconds, moments, words, frames }: ReelPrint): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(reelVersion, 0);
  const counts = [Math.round(seconds * exactly), moments.length, words.length, frames.length];
  for (const [index, count] of counts.entries()) head.writeUInt16BE(count, 1 + index * 2);
  const rows = moments.map(({ at, picture }) => {
    const print = encodePrint(picture);
    return Buffer.concat([timed(at), sized(print.length), print]);
  });
  const heard = words.map(({ index, word, weak }) => {
    const row = Buffer.alloc(wordBytes);
    row.writeUInt16BE(index, 0);
    row.writeUInt32BE(word, 2);
    for (const [at, bit] of weak.entries()) row.writeUInt8(bit, 6 + at);
    return row;
  });
  const seen = frames.flatMap(({ at, grey }) => [timed(at), sized(grey.length), grey]);
  return Buffer.concat([head, ...rows, ...heard, ...seen]);
}

export function decodeReel(bytes: Buffer): ReelPrint {
  let at = headBytes;
  const [seconds = 0, moments = 0, words = 0, frames = 0] = [0, 1, 2, 3].map((index) =>
    bytes.readUInt16BE(1 + index * 2),
  );
  const part = () => {
    const [time, length] = [bytes.readUInt16BE(at) / exactly, bytes.readUInt32BE(at + 2)];
    at += 6 + length;
    return { at: time, bytes: bytes.subarray(at - length, at) };
  };
  const times = <T>(count: number, read: () => T) => Array.from({ length: count }, read);
  return {
    seconds: seconds / exactly,
    moments: times(moments, () => {
      const { at: time, bytes: print } = part();
      return { at: time, picture: decodePrint(print) };
    }),
    words: times(words, () => {
      const row = bytes.subarray(at, at + wordBytes);
      at += wordBytes;
      return { index: row.readUInt16BE(0), word: row.readUInt32BE(2), weak: [...row.subarray(6)] };
    }),
    frames: times(frames, () => {
      const { at: time, bytes: grey } = part();
      return { at: time, grey };
    }),
  };
}

function timed(at: number): Buffer {
  const row = Buffer.alloc(2);
  row.writeUInt16BE(Math.round(Math.max(0, at) * exactly));
  return row;
}

function sized(length: number): Buffer {
  const row = Buffer.alloc(4);
  row.writeUInt32BE(length);
  return row;
}
