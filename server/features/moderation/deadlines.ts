import { z } from 'zod';
import { type CaseReason, caseReasons } from '#contract/cases.ts';

/** Hours until a report must be decided, by its reason. */
export type ReportHours = Readonly<Record<CaseReason, number>>;

/** The shorter deadlines; all others are those of `others`. */
export const usualReportHours =
  'intimate=2, child_safety=2, order=3, sexual=36, violence=36, hate=36, harassment=36, others=168';

const isReason = (name: string): name is CaseReason => caseReasons.some((reason) => reason === name);

/** `reason=hours` between commas; `others` is every reason that is not named. */
export const reportHours = z.string().transform((text, { addIssue }): ReportHours => {
  const given = new Map<string, number>();
  for (const part of text.split(',')) {
    const [, name = '', hours] = /^\s*(\w+)\s*=\s*(\d{1,4})\s*$/.exec(part) ?? [];
    if ((isReason(name) || name === 'others') && Number(hours) > 0) given.set(name, Number(hours));
    else addIssue(`“${part.trim()}” must be a reason and its hours, such as sexual=36`);
  }
  const others = given.get('others');
  if (others === undefined) addIssue('it must have the hours of all others, such as others=168');
  return Object.fromEntries(
    caseReasons.map((reason) => [reason, given.get(reason) ?? others ?? 0]),
  ) as unknown as ReportHours;
});
