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

/*
 * Prints of pictures and of reels as they are stored: the first byte says which it is.
 */
const isReel = (print: Buffer) => print[0] === reelVersion;

/** The keys under which a work is found. */
export function keysOf(print: Buffer): number[] {
  return [...new Set(isReel(print) ? keysOfReel(decodeReel(print)) : decodePrint(print).spots.map(indexKey))];
}

/** The keys under which a copy of it is looked up, in lists that each find some: of a reel what is seen, and what is heard. */
export function searchesOf(print: Buffer): number[][] {
  const searches = isReel(print) ? searchesOfReel(decodeReel(print)) : [keysToSearch(decodePrint(print))];
  return searches.map((keys) => [...new Set(keys)]);
}

/** What is kept of it. */
export const keptOf = (print: Buffer): Buffer =>
  isReel(print) ? encodeReel(withoutFrames(decodeReel(print))) : print;

/** Compares a work with others, each by its print. */
export function comparerOf(print: Buffer): (other: Buffer) => boolean {
  if (!isReel(print)) {
    const picture = decodePrint(print);
    return (other) => !isReel(other) && isCopy(picture, decodePrint(other));
  }
  const reel = openReel(decodeReel(print));
  return (other) => isReel(other) && isCopyOfReel(reel, decodeReel(other));
}
