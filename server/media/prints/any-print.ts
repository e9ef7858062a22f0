import { isCopy } from './compare-prints.ts';
import { isCopyOfReel, openReel } from './compare-reels.ts';
import { decodePrint, indexKey, keysToSearch } from './picture-print.ts';
import {
  decodeReel,
  encodeReel,
  keysOfReel,
  reelVersion,
  searchesOfReel,
  withoutFrames,
} from './reel-print.ts';

/* Prints of pictures and of reels in their stored form: the first byte is the kind. */
const isReel = (print: Buffer) => print[0] === reelVersion;

/** The keys by which a work is found. */
export function keysOf(print: Buffer): number[] {
  return [...new Set(isReel(print) ? keysOfReel(decodeReel(print)) : decodePrint(print).spots.map(indexKey))];
}

/** The keys by which copies are searched, in lists for separate searches: for a reel one for its pictures, and one for its sound. */
export function searchesOf(print: Buffer): number[][] {
  const searches = isReel(print) ? searchesOfReel(decodeReel(print)) : [keysToSearch(decodePrint(print))];
  return searches.map((keys) => [...new Set(keys)]);
}

/** The part of a print that is stored. */
export const storedPart = (print: Buffer): Buffer =>
  isReel(print) ? encodeReel(withoutFrames(decodeReel(print))) : print;

/** Compares a work with others, by their prints. */
export function comparerOf(print: Buffer): (other: Buffer) => boolean {
  if (!isReel(print)) {
    const picture = decodePrint(print);
    return (other) => !isReel(other) && isCopy(picture, decodePrint(other));
  }
  const reel = openReel(decodeReel(print));
  return (other) => isReel(other) && isCopyOfReel(reel, decodeReel(other));
}
