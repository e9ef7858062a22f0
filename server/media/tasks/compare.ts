import { comparerOf } from '../prints/any-print.ts';
import { beat } from './heartbeat.ts';

export interface CompareInput {
  /** Prints in base64: of the work, and of those that it may be a copy of. */
  print: string;
  others: string[];
}

export interface CompareOutput {
  /** The place of the first one that it is a copy of; -1 where there is none. */
  place: number;
}

/** Compares a work with others: nothing that a person sends is decoded here, but it would block who answers people. */
export async function compare({ print, others }: CompareInput): Promise<CompareOutput> {
  const isCopyOf = comparerOf(bytesOf(print));
  const place = others.findIndex((other) => {
    beat();
    return isCopyOf(bytesOf(other));
  });
  return { place };
}

const bytesOf = (print: string) => Buffer.from(print, 'base64');
