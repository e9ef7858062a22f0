import { limits } from './limits.ts';

/**
 * Text between two times in milliseconds. Plain text; lines are separated by
 * .
 */
export interface Cue {
  from: number;
  until: number;
  text: string;
}

/** The errors of a captions file; lines are counted from 1. */
export interface CaptionsFault {
  fault: 'header' | 'times' | 'backwards' | 'order' | 'late' | 'long' | 'many' | 'none';
  line: number;
}

const lastMoment = limits.video.maxSeconds * 1000;
const moment = String.raw`(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)\.(\d{3})`;
const timing = new RegExp(String.raw`^[ \t]*${moment}[ \t]*-->[ \t]*${moment}(?:[ \t].*)?$`);

/**
 * Parses WebVTT (https://www.w3.org/TR/webvtt1/): header, comments and cues. Styles, regions, positions and markup
 * are ignored: the result contains only text and times. An error names the line that violates the grammar.
 */
export function readCaptions(file: string): { cues: Cue[] } | CaptionsFault {
  const lines = file.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  if (!/^WEBVTT(?:[ \t]|$)/.test(lines[0] ?? '')) return { fault: 'header', line: 1 };
  const cues: Cue[] = [];
  for (const { start, block } of blocksOf(lines)) {
    const at = block.findIndex(isTimed);
    if (at === -1 && isPassedOver(block)) continue;
    // Only the identifier of a cue may precede its times.
    const times = at > 1 ? null : timing.exec(block[at] ?? '');
    const line = start + Math.max(at, 0);
    if (!times) return { fault: 'times', line };
    const astray = block.findIndex((other, index) => index > at && isTimed(other));
    if (astray !== -1) return { fault: 'times', line: start + astray };
    const [from, until] = [momentOf(times.slice(1, 5)), momentOf(times.slice(5, 9))];
    if (until <= from) return { fault: 'backwards', line };
    if (from < (cues.at(-1)?.from ?? 0)) return { fault: 'order', line };
    if (from >= lastMoment) return { fault: 'late', line };
    const text = wordsOf(block.slice(at + 1).join('\n'));
    if (text.length > limits.captions.characters) return { fault: 'long', line };
    if (text) cues.push({ from, until: Math.min(until, lastMoment), text });
    if (cues.length > limits.captions.cues) return { fault: 'many', line };
  }
  return cues.length > 0 ? { cues } : { fault: 'none', line: lines.length };
}

/** Writes the cues as a file without anything else. */
export function writeCaptions(cues: readonly Cue[]): string {
  const blocks = cues.map(({ from, until, text }) => `${clock(from)} --> ${clock(until)}\n${escaped(text)}`);
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`;
}

/** The blocks between blank lines, after the header; each begins at the line `start`. */
function* blocksOf(lines: readonly string[]): Generator<{ start: number; block: string[] }> {
  let start = 1;
  for (let end = 1; end <= lines.length; end += 1) {
    if (end < lines.length && lines[end] !== '') continue;
    const block = lines.slice(start, end);
    // Lines directly below WEBVTT belong to the header, unless they are a cue.
    if (block.length > 0 && (start > 1 || block.some(isTimed))) yield { start: start + 1, block };
    start = end + 1;
  }
}

const isTimed = (line: string) => line.includes('-->');
const isPassedOver = ([first = '']: readonly string[]) => /^(?:NOTE|STYLE|REGION)(?:[ \t]|$)/.test(first);

function momentOf([hours = '0', minutes, seconds, milliseconds]: (string | undefined)[]): number {
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(milliseconds);
}

function clock(at: number): string {
  const part = (size: number, within: number, digits: number) =>
    String(Math.floor(at / size) % within).padStart(digits, '0');
  return `${part(3_600_000, 100, 2)}:${part(60_000, 60, 2)}:${part(1000, 60, 2)}.${part(1, 1000, 3)}`;
}

/** Tags of WebVTT and of HTML, and karaoke timestamps; any other `<` is an ordinary character. */
const tags = /<(?:\/?[a-z][^<>]*|\/|[\d:.]+)>/gi;
const named: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  lrm: '\u200E',
  rlm: '\u200F',
};

function wordsOf(payload: string): string {
  return (
    payload
      .replace(tags, '')
      .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hex, name) =>
        name ? (named[name] ?? whole) : signOf(Number.parseInt(decimal ?? hex, decimal ? 10 : 16), whole),
      )
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed
      .replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\uFFFE\uFFFF]/g, ' ')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .join('\n')
  );
}

/** The character of a numeric reference; a line break, or a number outside of Unicode, stays as it was written. */
function signOf(number: number, whole: string): string {
  const isSign = number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff) && number !== 10;
  return isSign ? String.fromCodePoint(number) : whole;
}

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => escapes[sign as keyof typeof escapes]);
const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
