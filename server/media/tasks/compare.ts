import { comparerOf } from '../prints/any-print.ts';
import { beat } from './heartbeat.ts';

export interface CompareInput {
  /** Prints in base64: of the work, and of those that it may be a copy of. */
  print: string;
  others: string[];
}

export interface CompareOutput {
  /** The index of the first one of which it is a copy; -1 if there is none. */
  index: number;
}

/** Compares a work with others: no uploaded file is decoded here, but it would block the server's thread. */
export async function compare({ print, others }: CompareInput): Promise<CompareOutput> {
  const isCopyOf = comparerOf(bytesOf(print));
  const index = others.findIndex((other) => {
    beat();
    return isCopyOf(bytesOf(other));
  });
  return { index };
}

const bytesOf = (print: string) => Buffer.from(print, 'base64');
