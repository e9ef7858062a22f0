/*
 * Text that people wrote, inside a sentence, a title or a file: its direction of writing must not change the text beside it. In HTML an
 * element of its own ensures that (`<bdi>`, `dir="auto"`); this is for plain text.
 */

/** Letters of scripts that run from right to left, and every mark that changes a direction. */
const turning =
  /[\p{Bidi_Control}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const firstStrong = '\u2068';
const pop = '\u2069';

/**
 * The text as a separate run that takes its direction from its first letter (Unicode UAX 9), line by line. Text that runs from left to right
 * anyway stays as it is.
 */
export function isolated(text: string): string {
  if (!turning.test(text)) return text;
  return text.replaceAll(/[^\n\r\u0085\u2029]+/gu, (line) =>
    turning.test(line) ? `${firstStrong}${closed(line)}${pop}` : line,
  );
}

/** The text with all its isolates closed, and without the older embeddings and overrides, which can reverse letters. */
export function closed(text: string): string {
  let open = 0;
  const balanced = text.replaceAll(/[\u202A-\u202E\u2066-\u2069]/gu, (mark) => {
    if (mark < '\u2066') return '';
    if (mark !== pop) open += 1;
    else if (open === 0) return '';
    else open -= 1;
    return mark;
  });
  return balanced + pop.repeat(open);
}
