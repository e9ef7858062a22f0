import type { Language } from '#contract/languages.ts';
import type { OperatorRole } from '#contract/roles.ts';
import type { SiteRule } from '#contract/site-rules.ts';
import { isolated } from '#contract/text-direction.ts';
import type { Act, Asked } from '#server/platform/outbox.ts';
import { ruleTexts } from './rules.ts';
import { words } from './words.ts';

export interface Composed {
  subject: string;
  text: string;
  html: string;
}

interface Reader {
  language: Language;
}

/** The URL of a page in the reader's language; the secret follows `#`, a part that browsers do not send. */
export function pageAddress(origin: string, { language }: Reader, path: string, secret = ''): string {
  return `${origin}${path}${language === 'en' ? '' : `?lang=${language}`}${secret && `#${secret}`}`;
}

/** A mail with a link that the recipient requested. */
export function composeAsked(
  template: Asked,
  reader: Reader,
  { origin, url }: { origin: string; url: string },
): Composed {
  const { greeting, asked, footer } = words[reader.language];
  const { subject, lead, button, rest } = asked[template];
  return render(reader.language, subject, [
    greeting,
    lead,
    { words: button, url },
    rest,
    fill(footer, { origin }),
  ]);
}

/** A mail with a code that confirms an act. */
export function composeCode(code: string, reader: Reader, origin: string): Composed {
  const { greeting, code: said, footer } = words[reader.language];
  const { subject, lead, rest } = said;
  return render(reader.language, subject, [greeting, lead, code, rest, fill(footer, { origin })]);
}

export interface ReportedAct {
  act: Act;
  values: Record<string, string>;
  at: Date;
}

/** After these acts the recipient's address no longer belongs to an account. */
const losesAddress: Partial<Record<Act, true>> = {
  email_changed: true,
  email_restored: true,
  account_deleted: true,
};

/** Acts about money, which only the site performs. */
const isOfMoney: Partial<Record<Act, true>> = {
  destination_needed: true,
  name_needed: true,
  address_needed: true,
  withdrawal_in_review: true,
  withdrawal_approved: true,
  withdrawal_retried: true,
  withdrawal_sent: true,
  withdrawal_failed: true,
  withdrawal_returned: true,
  withdrawal_paid: true,
  withdrawal_rejected: true,
  work_is_own: true,
  work_is_copy: true,
  month_released: true,
  month_void: true,
};

/** A notice of one act, or of several in a short time. */
export function composeNotices(
  reported: readonly ReportedAct[],
  reader: Reader,
  /** `undoes`: a link that restores the old address of an account. */
  { origin, timeZone, undoes }: { origin: string; timeZone: string; undoes?: string | undefined },
): Composed {
  const { greeting, acts, manyActs, line, unknown, roles, ...rest } = words[reader.language];
  const format = new Intl.DateTimeFormat(`${reader.language}-IN`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  const months = new Intl.DateTimeFormat(`${reader.language}-IN`, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const monthIn = ({ month }: ReportedAct['values']) =>
    month ? { month: months.format(new Date(`${month}-01`)) } : {};
  const untilIn = ({ until }: ReportedAct['values']) =>
    until ? { until: format.format(new Date(until)) } : {};
  const unknowns = { device: unknown, email: unknown, destination: unknown };
  const ruleIn = ({ rule }: ReportedAct['values']) =>
    rule ? { rule: ruleTexts[reader.language][rule as SiteRule] } : {};
  const roleIn = ({ role }: ReportedAct['values']) => (role ? { role: roles[role as OperatorRole] } : {});
  const lines = reported.flatMap(({ act, values, at }): Part[] => {
    const named = { ...monthIn(values), ...untilIn(values), ...ruleIn(values), ...roleIn(values) };
    const said = { ...unknowns, ...values, ...named };
    const sentence = fill(line, { time: format.format(at), sentence: fill(acts[act].sentence, said) });
    if (values.cases)
      return [sentence, ...values.cases.split(' ').map((id) => `${origin}/Console?part=reports&case=${id}`)];
    if (!values.decision) return [sentence];
    return [
      sentence,
      { words: rest.decision, url: pageAddress(origin, reader, `/report/${values.decision}`) },
    ];
  });
  const [only] = reported.length === 1 ? reported : [];
  const leaves = reported.some(({ act }) => losesAddress[act] === true);
  const whatToDo = (): Part[] => {
    if (undoes) return [rest.undo.notYou, { words: rest.undo.button, url: undoes }];
    // The recipient's address no longer belongs to the account, so a password reset link would be useless.
    if (leaves)
      return [
        rest.lostAddress.notYou,
        { words: rest.lostAddress.button, url: pageAddress(origin, reader, '/Contact') },
      ];
    // They are acts of operators, and nobody else did them.
    if (reported.every(({ values }) => values.decision || values.cases)) return [];
    if (reported.every(({ act }) => isOfMoney[act] === true))
      return [{ words: rest.history, url: pageAddress(origin, reader, '/EarningHistory') }];
    return [rest.notYou, { words: rest.newPassword, url: pageAddress(origin, reader, '/ForgotPassword') }];
  };
  return render(reader.language, only ? acts[only.act].subject : manyActs.subject, [
    greeting,
    ...(only ? [] : [manyActs.lead]),
    ...lines,
    ...whatToDo(),
    fill(leaves ? rest.lostAddressFooter : rest.footer, { origin }),
  ]);
}

type Part = string | { words: string; url: string };

function fill(template: string, values: object): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    onOneLine(String((values as Record<string, unknown>)[name] ?? '')),
  );
}

/** Values that people choose, without line breaks, and with a direction of their own. */
function onOneLine(value: string): string {
  return isolated(value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim());
}

function render(language: Language, subject: string, parts: readonly Part[]): Composed {
  const text = parts.map((part) => (typeof part === 'string' ? part : `${part.words}:\n${part.url}`));
  const html = parts.map((part) =>
    typeof part === 'string'
      ? `<p style="margin:0 0 16px">${escaped(part)}</p>`
      : `<p style="margin:0 0 16px"><a href="${escaped(part.url)}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:#f9ab10;color:#1a1238;text-decoration:none;font-weight:600">${escaped(part.words)}</a></p>`,
  );
  return {
    subject,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head><body style="margin:0;padding:24px;background:#ffffff;color:#1f1a1c;font:16px/1.5 system-ui,sans-serif"><div style="max-width:560px;margin:0 auto">${html.join('')}</div></body></html>`,
  };
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
