import { expect, it } from 'vitest';
import { bankOf } from './banks.ts';
import { bankLettersOf, mergerOf } from './merged-banks.ts';

const merged = [
  'VYSA BMBL SBBJ SBHY SBMY SBTR STBP ALLA ANDB BKDN',
  'CORP ORBC SYNB UTBI VIJB LAVB PMCB FSFB',
].flatMap((line) => line.split(' '));

it.each(merged)('the bank that has the accounts of %s has the letters by which it is listed', (letters) => {
  expect(bankOf(`${bankLettersOf(`${letters}0001234`)}0001234`)).toBe(mergerOf(letters)?.into);
});

it('a bank that was not merged, also an unknown one, keeps its letters', () => {
  expect([bankLettersOf('hdfc0001234'), bankLettersOf('ZZZZ0001234')]).toEqual(['HDFC', 'ZZZZ']);
});
