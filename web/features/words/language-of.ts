/** The scripts that people here write in, and the language by which a screen reader reads each best. */
const scripts: readonly [language: string, script: RegExp][] = [
  ['en', /\p{Script=Latin}/gu],
  ['hi', /\p{Script=Devanagari}/gu],
  ['bn', /\p{Script=Bengali}/gu],
  ['ta', /\p{Script=Tamil}/gu],
  ['te', /\p{Script=Telugu}/gu],
  ['gu', /\p{Script=Gujarati}/gu],
  ['pa', /\p{Script=Gurmukhi}/gu],
  ['kn', /\p{Script=Kannada}/gu],
  ['ml', /\p{Script=Malayalam}/gu],
  ['or', /\p{Script=Oriya}/gu],
  ['ur', /\p{Script=Arabic}/gu],
];

/** The language of what somebody wrote, by the script of most of its letters; undefined without any. */
export function languageOf(words: string): string | undefined {
  let [most, found]: [number, string | undefined] = [0, undefined];
  for (const [language, script] of scripts) {
    const count = words.match(script)?.length ?? 0;
    if (count > most) [most, found] = [count, language];
  }
  return found;
}
