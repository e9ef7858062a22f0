/**
 * What can follow from a broken rule: this one work is hidden, or all that look like it too; it stays and says to all who see it what it is;
 * or the account is suspended.
 */
export type Consequence = 'copy' | 'content' | 'label' | 'suspend';

/**
 * The rules of the site, and what an operator may do when one is broken. Those that people can report have the name of the reason of the
 * report. The texts are in `web/messages/reports`, and for mails in `server/features/mail/rules.ts`.
 */
export const siteRules = {
  sexual: ['content', 'suspend'],
  intimate: ['content', 'suspend'],
  child_safety: ['content', 'suspend'],
  violence: ['content', 'label', 'suspend'],
  hate: ['content', 'suspend'],
  harassment: ['content', 'suspend'],
  spam: ['content', 'copy', 'suspend'],
  // Never the content: its author may have published it too.
  copied: ['copy', 'suspend'],
  illegal_goods: ['content', 'suspend'],
  impersonation: ['content', 'copy', 'suspend'],
  privacy: ['content', 'suspend'],
  altered: ['label', 'content', 'suspend'],
  order: ['content', 'copy', 'suspend'],
} as const satisfies Record<string, readonly Consequence[]>;
export type SiteRule = keyof typeof siteRules;

export const siteRuleNames = Object.keys(siteRules) as [SiteRule, ...SiteRule[]];

/** Whether a rule has this consequence. */
export function canFollow(rule: SiteRule, consequence: Consequence): boolean {
  const allowed: readonly Consequence[] = siteRules[rule];
  return allowed.includes(consequence);
}

/** What a work says to all who see it. */
export const workLabels = ['disturbing', 'altered'] as const;
export type WorkLabel = (typeof workLabels)[number];

/** The label that follows from a rule. */
export const labelOf: Partial<Record<SiteRule, WorkLabel>> = { violence: 'disturbing', altered: 'altered' };

/** The longest suspension that ends by itself, in days. */
export const suspensionDaysAtMost = 365;
