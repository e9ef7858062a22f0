import { describe, expect, it } from 'vitest';
import { randomFrom } from '#testing/random.ts';
import { readCaptions, writeCaptions } from './webvtt.ts';

const read = (text: string) => {
  const found = readCaptions(text);
  if ('fault' in found) throw new Error(`${found.fault} at line ${found.line}`);
  return found.cues;
};
const one = (payload: string) => read(`WEBVTT\n\n00:01.000 --> 00:02.000\n${payload}`)[0]?.text;

describe('WebVTT captions are parsed', () => {
  it('with or without hours, with names, comments, any line breaks and a byte order mark', () => {
    const file = [
      '\uFEFFWEBVTT - by hand',
      'Kind: captions',
      '',
      'NOTE the first',
      'of two lines',
      '',
      'intro',
      '00:00:01.000 --> 00:00:02.500 align:start position:10%',
      'नमस्ते दुनिया',
      'and hello',
      '',
      '',
      '00:02.500 --> 01:02.000',
      'सब ठीक?',
    ];
    const cues = [
      { from: 1000, until: 2500, text: 'नमस्ते दुनिया\nand hello' },
      { from: 2500, until: 62_000, text: 'सब ठीक?' },
    ];
    for (const line of ['\n', '\r\n', '\r']) expect(read(file.join(line))).toEqual(cues);
  });

  it('with overlapping cues, and a cue directly below the first line', () => {
    expect(read('WEBVTT\n00:01.000 --> 00:05.000\nOne\n\n00:01.000 --> 00:02.000\nTwo')).toHaveLength(2);
  });

  it('without styles, regions, markup, positions and characters that are not text', () => {
    const file = `WEBVTT

STYLE
::cue { background: url(https://evil.example/a.png) }

REGION
id:fred

00:01.000 --> 00:02.000 region:fred
<v Asha><i.loud>Hello</i> <00:01.500><b>there</b></v>\u0007<img src=x onerror="alert(1)">`;
    expect(writeCaptions(read(file))).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello there\n');
  });

  it('with characters that only look like markup', () => {
    expect(one('I <3 you & 2 < 3 > 1')).toBe('I <3 you & 2 < 3 > 1');
    expect(one('&lt;script&gt; &amp;amp; &#2344; &#x928; &nbsp;! &nosuch; &#xD800; &#99999999;')).toBe(
      '<script> &amp; न न \u00A0! &nosuch; &#xD800; &#99999999;',
    );
    expect(writeCaptions([{ from: 0, until: 1, text: '<b> --> &lt;' }])).toContain(
      '&lt;b&gt; --&gt; &amp;lt;',
    );
  });

  it('up to the length of the longest reel', () => {
    expect(read('WEBVTT\n\n02:59.000 --> 99:59:59.000\nLast')).toEqual([
      { from: 179_000, until: 180_000, text: 'Last' },
    ]);
  });

  it('and refused with the number of the invalid line', () => {
    const at = (text: string) => readCaptions(`WEBVTT\n\n${text}`);
    for (const text of ['', 'WEBVTTX', 'webvtt', '1\n00:00:01,000 --> 00:00:02,000\nSRT', '#EXTM3U'])
      expect(readCaptions(text)).toEqual({ fault: 'header', line: 1 });
    for (const times of [
      '00:01,000 --> 00:02,000',
      '0:01.000 --> 0:02.000',
      '00:61.000 --> 01:02.000',
      '00:01.000 -> 00:02.000',
      '-00:01.000 --> 00:02.000',
      '00:01.000 --> ',
      'just words',
    ])
      expect(at(`${times}\nHello`), times).toEqual({ fault: 'times', line: 3 });
    expect(at('name\nanother name\n00:01.000 --> 00:02.000\nHello')).toEqual({ fault: 'times', line: 5 });
    expect(at('00:01.000 --> 00:02.000\nHello\n00:03.000 --> 00:04.000\nThere')).toEqual({
      fault: 'times',
      line: 5,
    });
    expect(at('00:02.000 --> 00:02.000\nHello')).toEqual({ fault: 'backwards', line: 3 });
    expect(at('00:02.000 --> 00:03.000\nA\n\n00:01.000 --> 00:03.000\nB')).toEqual({
      fault: 'order',
      line: 6,
    });
    expect(at('03:00.000 --> 03:01.000\nHello')).toEqual({ fault: 'late', line: 3 });
    expect(at(`00:01.000 --> 00:02.000\n${'a'.repeat(301)}`)).toEqual({ fault: 'long', line: 3 });
    expect(at('00:01.000 --> 00:02.000\nHello\n\n'.repeat(1001))).toMatchObject({ fault: 'many' });
    expect(at('NOTE nothing else')).toMatchObject({ fault: 'none' });
    expect(at('00:01.000 --> 00:02.000\n<b></b>')).toMatchObject({ fault: 'none' });
  });
});

const scraps = [
  'WEBVTT',
  '\n',
  '\n\n',
  '\r',
  '00:01.000 --> 00:02.000\n',
  '00:01.500 --> 02:59.999\n',
  'NOTE',
  'STYLE',
  '<v Asha>',
  '</v>',
  '&lt;',
  '&#10;',
  '-->',
  '<',
  '>',
  '&',
  '#',
  ';',
  'words',
  ' ',
  '\u0000',
  '\u2028',
  '\uFFFF',
  '\uD800',
  '😀',
];

it('parsed captions are written as text and times only, and parsing them again gives the same', () => {
  const random = randomFrom(16);
  let taken = 0;
  for (let file = 0; file < 5000; file += 1) {
    const parts = Array.from({ length: random(40) }, () => scraps[random(scraps.length)]).join('');
    const found = readCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${parts}`);
    if ('fault' in found) continue;
    taken += 1;
    const written = writeCaptions(found.cues);
    expect(read(written), parts).toEqual(found.cues);
    expect(written).not.toContain('<');
    expect(written.split('-->').length - 1).toBe(found.cues.length);
  }
  expect(taken).toBeGreaterThan(500);
});

it('a hostile file is parsed as fast as any other', () => {
  for (const text of ['<a', '&#1', '<', '\n\n', '00:01.000 --> ', 'a\n'].map((part) =>
    part.repeat(262_144 / part.length),
  ))
    readCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}`);
});
