import { isCopy } from '../prints/compare-prints.ts';
import { decodePrint } from '../prints/picture-print.ts';

export interface CompareInput {
  /** Prints in base64: of the picture, and of those that it may be a copy of. */
  print: string;
  others: string[];
}

export interface CompareOutput {
  /** The place of the first one that it is a copy of; -1 where there is none. */
  place: number;
}

/** Compares a picture with others: nothing that a person sends is decoded here, but it would block who answers people. */
export async function compare({ print, others }: CompareInput): Promise<CompareOutput> {
  const picture = decoded(print);
  return { place: others.findIndex((other) => isCopy(picture, decoded(other))) };
}

const decoded = (print: string) => decodePrint(Buffer.from(print, 'base64'));
