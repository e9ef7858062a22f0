import { describe, expect, it } from 'vitest';
import { searchKey } from './search-key.ts';

describe('the key by which texts and searches are compared', () => {
  it.each([
    ['दीवाली', 'दिवाली', 'diwali', 'deewali', 'DIVALI'],
    ['रंगोली', 'रङ्गोली', 'rangoli', 'Rangolee', 'रंगोलि'],
    ['लक्ष्मी', 'lakshmi', 'laxmi', 'Lakshmee'],
    ['क्रिकेट', 'cricket', 'kriket', 'criket'],
    ['मुंबई', 'मुम्बई', 'mumbai', 'munbai'],
    ['पूजा', 'puja', 'pooja', 'पुजा'],
    ['फोटो', 'photo', 'foto'],
    ['श्वेता', 'shweta', 'shveta', 'sweta'],
    ['ज़ोया', 'zoya', 'जोया', 'joya'],
    ['छठ', 'chhath', 'chath'],
    ['चाँद', 'चांद', 'chand', 'chaand'],
    ['माँ', 'maa', 'मां', 'ma'],
    ['ज्ञान', 'gyan', 'gyaan'],
    ['रोटी', 'roti', 'rotee', 'રોટી', 'ਰੋਟੀ', 'রোটী', 'రోటీ'],
  ])('is the same for %s, %s and %s', (...spellings) => {
    expect(new Set(spellings.map(searchKey)).size).toBe(1);
  });

  it.each([
    ['राम', 'ram'],
    ['कमल', 'kamal'],
    ['न', 'na'],
    ['आरती', 'arti'],
    ['नवरात्रि', 'navratri'],
    ['गणपति', 'ganpati'],
    ['बिरयानी', 'biryani'],
    ['रसगुल्ला', 'rasgula'],
    ['धनतेरस', 'dhanteras'],
    ['महल', 'mahal'],
  ])('%s has no schwa that nobody speaks: %s', (word, key) => {
    expect(searchKey(word)).toBe(key);
  });

  it.each([
    ['nukta, composed or not', 'बाज\u093Cार', 'बा\u095Bार'],
    ['zero-width joiner and non-joiner', 'क्\u200Dष', 'क्\u200Cष'],
    ['accents and full-width letters', 'Ｃａｆé', 'cafe'],
    ['digits', '२०२६', '2026'],
    ['apostrophes', 'D’Souza', "d'souza"],
  ])('is the same with another form of %s', (_what, one, other) => {
    expect(searchKey(one)).toBe(searchKey(other));
  });

  it('separates words by one blank, and leaves out signs', () => {
    expect(searchKey('  #Rangoli_art — by @leela.rangoli 🙂!! ')).toBe('rangoli art by lila rangoli');
    expect(searchKey('🙂 !')).toBe('');
  });

  it('is ASCII for every script, and different for different words', () => {
    const keys = ['مہندی', 'привет', '你好', '你们', 'ខ្មែរ', '𝒜sha', 'ß'].map(searchKey);
    for (const key of keys) expect(key).toMatch(/^[a-z0-9]+$/);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('of a key is the key itself', () => {
    for (const text of ['दीवाली की सफ़ाई', 'Bharatanatyam', 'Khardung La', 'प्यार', 'quick brown fox'])
      expect(searchKey(searchKey(text))).toBe(searchKey(text));
  });

  it('takes time in proportion to the text', () => {
    const start = performance.now();
    searchKey('कमल'.repeat(20_000));
    searchKey(`${'a'.repeat(60_000)} ${'ज्ञ'.repeat(10_000)}`);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
