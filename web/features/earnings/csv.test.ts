import { describe, expect, it } from 'vitest';
import { csvOf } from './csv.ts';

describe('a CSV file', () => {
  it('says that it is UTF-8, ends each line as RFC 4180 does, and leaves numbers bare', () => {
    expect(
      csvOf([
        ['नाम', 'Coins'],
        ['ज़ोया', 550],
      ]),
    ).toBe('\uFEFF"नाम","Coins"\r\n"ज़ोया",550\r\n');
  });

  it('keeps commas, quotes and line breaks inside their cell', () => {
    expect(csvOf([['a, "b"\r\nc', '']])).toBe('\uFEFF"a, ""b""\r\nc",""\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '＝1', '＋1', '－1', '＠A'])(
    'never runs %j as a formula',
    (text) => {
      expect(csvOf([[text]])).toBe(`\uFEFF"'${text}"\r\n`);
    },
  );

  it.each(['a=b', '12.50', '2026-10', 'me@people.example'])('leaves %j as it is', (text) => {
    expect(csvOf([[text]])).toBe(`\uFEFF"${text}"\r\n`);
  });
});
