import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

describe('a CSV file', () => {
  it('ends each line as in RFC 4180, writes numbers without quotes, and null as an empty cell', () => {
    expect(
      csvOf([
        ['नाम', 'Coins', 'Note'],
        ['ज़ोया', 550, null],
      ]),
    ).toBe('"नाम","Coins","Note"\r\n"ज़ोया",550,""\r\n');
  });

  it('keeps commas, quotes and line breaks inside their cell', () => {
    expect(csvOf([['a, "b"\r\nc', '']])).toBe('"a, ""b""\r\nc",""\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '＋1', '－1', '＠A'])(
    'never runs %j as a formula',
    (text) => {
      expect(csvOf([[text]])).toBe(`"'${text}"\r\n`);
    },
  );

  it.each([
    ['\u202Egnp.ai', '"gnp.ai"\r\n'],
    ['\u2067open', '"\u2067open\u2069"\r\n'],
    ['\u202D=1+1', `"'=1+1"\r\n`],
  ])('does not let %j change the direction of the cells after it', (text, line) => {
    expect(csvOf([[text]])).toBe(line);
  });

  it.each(['a=b', '12.50', '2026-10', 'me@people.example'])('leaves %j as it is', (text) => {
    expect(csvOf([[text]])).toBe(`"${text}"\r\n`);
  });
});
