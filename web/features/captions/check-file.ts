import { limits } from '#contract/limits.ts';
import { type CaptionsFault, readCaptions } from '#contract/webvtt.ts';

/** What is wrong with a file of captions, in the catalogue's words; the server looks again. */
export type Objection =
  | { id: 'captions.tooLarge' | 'captions.notText' | 'captions.empty'; values?: undefined }
  | { id: `captions.fault.${CaptionsFault['fault']}`; values: { line: number } };

/** Looks a file over before any of it is sent; undefined where it may be. */
export async function objectionTo(file: File): Promise<Objection | undefined> {
  if (file.size === 0) return { id: 'captions.empty' };
  if (file.size > limits.captions.maxBytes) return { id: 'captions.tooLarge' };
  let words: string;
  try {
    words = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return { id: 'captions.notText' };
  }
  const read = readCaptions(words);
  return 'fault' in read ? { id: `captions.fault.${read.fault}`, values: { line: read.line } } : undefined;
}
