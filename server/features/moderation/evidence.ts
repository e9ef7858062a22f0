import { type CaseLanguage, caseLanguages } from '#contract/cases.ts';
import type { ReportKind } from '#contract/reports.ts';
import { photoFile, reelFiles, smallPhotoFile } from '#server/media/file-names.ts';
import type { Evidence } from '#server/platform/database/tables.ts';
import type { ReportedThing } from './reports.queries.ts';

/** What a case keeps of the reported thing: its owner may change or delete it. */
export function evidenceOf(kind: ReportKind, thing: ReportedThing): Evidence {
  const {
    owner_id: ownerId,
    owner,
    words,
    more,
    reel_id: reelId,
    media_key: key,
    cover_key: coverKey,
  } = thing;
  const file = kind === 'reel' ? reelFiles.poster : kind === 'person' ? smallPhotoFile : photoFile;
  return {
    ...{ ownerId, owner, words, more, reelId },
    picture: key ? { key: coverKey ?? key, file } : null,
    video: kind === 'reel' && key ? { key, file: reelFiles.video } : null,
  };
}

const letters: Record<CaseLanguage, RegExp> = {
  en: /\p{Script=Latin}/gu,
  hi: /\p{Script=Devanagari}/gu,
  other: /(?!\p{Script=Latin}|\p{Script=Devanagari})\p{L}/gu,
};

/** The language that an operator has to read: the script of most letters in the reported text, or in the report if that text has no letters. */
export function languageOf({ words, more }: Pick<Evidence, 'words' | 'more'>, report: string): CaseLanguage {
  const said = [`${words} ${more}`, report].find((text) => /\p{L}/u.test(text)) ?? '';
  const count = (language: CaseLanguage) => said.match(letters[language])?.length ?? 0;
  const [most = 'other'] = caseLanguages.toSorted((one, other) => count(other) - count(one));
  return count(most) > 0 ? most : 'other';
}
