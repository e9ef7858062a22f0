const consonants: Record<string, string> = {
  ...{ क: 'k', ख: 'kh', ग: 'g', घ: 'gh', ङ: 'n', च: 'ch', छ: 'ch', ज: 'j', झ: 'jh', ञ: 'n' },
  ...{ ट: 't', ठ: 'th', ड: 'd', ढ: 'dh', ण: 'n', त: 't', थ: 'th', द: 'd', ध: 'dh', न: 'n' },
  ...{ प: 'p', फ: 'ph', ब: 'b', भ: 'bh', म: 'm', य: 'y', र: 'r', ल: 'l', ळ: 'l', ऴ: 'l', ऱ: 'r', ऩ: 'n' },
  ...{ व: 'v', श: 'sh', ष: 'sh', स: 's', ह: 'h' },
};
const vowels: Record<string, string> = {
  ...{ अ: 'a', आ: 'a', इ: 'i', ई: 'i', उ: 'u', ऊ: 'u', ऋ: 'ri', ऍ: 'e', ऎ: 'e', ए: 'e', ऐ: 'ai' },
  ...{ ऑ: 'o', ऒ: 'o', ओ: 'o', औ: 'au', ॐ: 'om' },
};
/** The signs that replace the `a` of a consonant. */
const vowelSigns: Record<string, string> = {
  ...{ '\u093E': 'a', '\u093F': 'i', '\u0940': 'i', '\u0941': 'u', '\u0942': 'u', '\u0943': 'ri' },
  ...{ '\u0945': 'e', '\u0946': 'e', '\u0947': 'e', '\u0948': 'ai', '\u0949': 'o', '\u094A': 'o' },
  ...{ '\u094B': 'o', '\u094C': 'au', '\u094D': '' },
};
const nasals = /[\u0900-\u0902]/;
const nukta = /\u093C/g;

/** Nine Indian scripts have the layout of Devanagari in Unicode, each in a block of 128. */
const indianLetters = /[\u0980-\u0D7F]/gu;
const asDevanagari = (letter: string) => String.fromCodePoint(0x900 + ((letter.codePointAt(0) ?? 0) & 0x7f));

/** The `a` that belongs to a consonant without a sign: it is written by nobody where it is not spoken. */
const schwa = 'ə';

/** Romanises a word of Devanagari as people type it: without the schwa at its end and between two syllables. */
function romanised(word: string): string {
  const letters = [...word];
  let roman = '';
  for (const [place, letter] of letters.entries()) {
    const next = letters[place + 1] ?? '';
    const consonant = consonants[letter];
    if (consonant) roman += consonant + (next in vowelSigns ? '' : schwa);
    else if (nasals.test(letter)) roman += next ? 'n' : '';
    else roman += vowels[letter] ?? vowelSigns[letter] ?? (/\p{M}/u.test(letter) ? '' : letter);
  }
  return roman
    .replace(/(?<=[aeiouə].*)ə$/, '')
    .replace(/([aeiouə][b-df-hj-np-tv-z]h?)ə([b-df-hj-np-tv-z]h?[aeiouə])/g, '$1$2')
    .replaceAll(schwa, 'a');
}

/** Spellings that people use for one sound, in the order in which they are folded. */
const sounds: readonly (readonly [RegExp, string])[] = [
  [/jny?|gny/g, 'gy'],
  [/x/g, 'ks'],
  [/chh/g, 'ch'],
  [/c(?=[eiy])/g, 's'],
  [/c(?!h)|q/g, 'k'],
  [/ph/g, 'f'],
  [/sh/g, 's'],
  [/w/g, 'v'],
  [/z/g, 'j'],
  [/ee/g, 'i'],
  [/oo/g, 'u'],
  [/m(?=[pbf])/g, 'n'],
  [/([a-z])\1+/g, '$1'],
];

const folded = (word: string) =>
  sounds.reduce((text, [spelling, sound]) => text.replace(spelling, sound), word);

/** A letter of a script that is not romanised, as its number. */
const numbered = (word: string) =>
  word.replace(/[^a-z0-9]/gu, (letter) => (letter.codePointAt(0) ?? 0).toString(36));

/**
 * The form in which texts and the words of a search are compared: words of ASCII letters and digits, separated by blanks, equal for the
 * spellings of a word in Devanagari and in Latin letters.
 */
export function searchKey(text: string): string {
  return searchWords(text)
    .map(({ key }) => key)
    .join(' ');
}

/** The words of a text as they are written, each with its key. */
export function searchWords(text: string): { word: string; key: string }[] {
  return text
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}'’]/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((word) => ({ word, key: keyOf(word) }))
    .filter(({ key }) => key !== '');
}

function keyOf(word: string): string {
  const plain = word
    .toLowerCase()
    // Before signs of two parts are taken apart, which Devanagari does not have.
    .replace(indianLetters, asDevanagari)
    .normalize('NFD')
    .replace(nukta, '')
    .replace(/[\u0300-\u036F]/g, '')
    .replace(/[\u0966-\u096F]/g, (digit) => String((digit.codePointAt(0) ?? 0) - 0x966));
  return numbered(folded(/[\u0900-\u097F]/.test(plain) ? romanised(plain) : plain));
}
