/** A tag or a mention that somebody is writing. */
export interface StartedWord {
  mark: '#' | '@';
  /** What follows the mark, up to the caret. */
  text: string;
  /** Where the mark is in the field. */
  from: number;
}

const started = /(?<![\p{L}\p{M}\p{N}._-])(?<mark>[#@])(?<text>[\p{L}\p{M}\p{N}._-]{1,30})$/u;

/** The tag or mention that ends at the caret. */
export function wordAt(words: string, caret: number): StartedWord | undefined {
  const { groups, index = 0 } = started.exec(words.slice(0, caret)) ?? {};
  if (!groups?.mark || !groups.text) return undefined;
  return { mark: groups.mark as '#' | '@', text: groups.text, from: index };
}
