import { limits } from '#contract/limits.ts';
import { type CaptionsFault, readCaptions } from '#contract/webvtt.ts';
import { isReadable } from '#web/changed-file.ts';

/** The error message for an invalid captions file. The server checks the file again. */
export type CaptionsProblem =
  | {
      id: 'captions.tooLarge' | 'captions.notText' | 'captions.empty' | 'upload.chooseAgain';
      values?: undefined;
    }
  | { id: `captions.fault.${CaptionsFault['fault']}`; values: { line: number } };

/** Checks a captions file before the upload; undefined if it is valid. */
export async function problemWith(file: File): Promise<CaptionsProblem | undefined> {
  if (file.size === 0) return { id: 'captions.empty' };
  if (file.size > limits.captions.maxBytes) return { id: 'captions.tooLarge' };
  if (!(await isReadable(file))) return { id: 'upload.chooseAgain' };
  let words: string;
  try {
    words = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return { id: 'captions.notText' };
  }
  const read = readCaptions(words);
  return 'fault' in read ? { id: `captions.fault.${read.fault}`, values: { line: read.line } } : undefined;
}
