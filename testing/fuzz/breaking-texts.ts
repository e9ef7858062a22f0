/** Texts that leave their box, or turn round what is beside them. Each begins with a part that no other text has. */
export const breakingTexts: Record<string, string> = {
  'a hashtag of 79 letters': `#Diwali${'Celebration'.repeat(6)}Jhalak`.padEnd(79, 'x'),
  'forty letters a': 'a'.repeat(40),
  'an address of 65 characters': 'https://www.instagram.com/reel/'.padEnd(65, 'Cq7'),
  '300 letters without a space': 'LongWord'.padEnd(300, 'nevernding'),
  'sixty letters of Devanagari': 'अ'.repeat(60),
  'forty emoji': '🪔'.repeat(40),
  'letters with many marks': [...'Zalgotexting']
    .map((letter) => letter + '\u0324\u0325\u0302\u0301'.repeat(3))
    .join(''),
  'an override that is not closed': '\u202ELIVE turned round',
  'an override and an isolate that are not closed': '\u202D\u2067Forced \u2066open',
  'an isolate that is closed too often': '\u2069\u2069Popped \u202C\u2069',
  'a sentence in Arabic': 'جھلک پر خوش آمدید، یہ ایک لمبا جملہ ہے!',
  'Tamil without spaces': 'தமிழ்'.repeat(20),
  'a sentence of spaces that do not break':
    'This sentence has only spaces that never break at all'.replaceAll(' ', '\u00A0'),
  'Thai without spaces': 'ภาษาไทย'.repeat(14),
  underscores: `under${'_'.repeat(70)}`,
  'a long number': '9876543210'.repeat(9),
};
