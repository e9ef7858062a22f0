import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Tables } from '#server/platform/database/tables.ts';

type Table = keyof Tables;

/** The folder in `server/features` that owns a table, or `platform`. Only the owner queries it, except as `exceptions` say. */
const owners: Record<Table, string> = {
  people: 'people',
  follows: 'people',
  blocks: 'people',
  sessions: 'accounts',
  password_guesses: 'accounts',
  sign_in_places: 'accounts',
  account_links: 'accounts',
  confirmations: 'confirmation',
  confirmation_codes: 'confirmation',
  email_changes: 'accounts',
  payout_destinations: 'destinations',
  payout_batches: 'payers',
  payout_locks: 'withdrawals',
  unmatched_payments: 'payers',
  payout_attempts: 'withdrawals',
  payer_events: 'payers',
  second_factors: 'second-factor',
  recovery_codes: 'second-factor',
  passkeys: 'passkeys',
  passkey_challenges: 'passkeys',
  identities: 'identity',
  sign_in_nonces: 'identity',
  uploads: 'uploads',
  resumable_uploads: 'uploads',
  stored_files: 'stored-files',
  prints: 'prints',
  print_keys: 'prints',
  copies: 'copies',
  imports: 'imports',
  works: 'works',
  reels: 'reels',
  reel_captions: 'reels',
  reel_likes: 'reels',
  reel_comments: 'reels',
  reel_shares: 'reels',
  category_counts: 'categories',
  posts: 'posts-and-stories',
  post_likes: 'posts-and-stories',
  search_entries: 'search-index',
  tags: 'search-index',
  work_tags: 'search-index',
  search_words: 'search-index',
  taste_people: 'taste',
  taste_watches: 'taste',
  next_reels: 'taste',
  top_reels: 'taste',
  stories: 'posts-and-stories',
  seen_stories: 'posts-and-stories',
  reel_days: 'views',
  network_days: 'views',
  views: 'views',
  creator_viewers: 'views',
  viewer_months: 'views',
  active_people: 'views',
  watch_clocks: 'views',
  last_showings: 'views',
  seen_browsers: 'views',
  months: 'month-counts',
  creator_months: 'month-counts',
  established_accounts: 'months',
  month_shares: 'months',
  month_results: 'months',
  adjustments: 'months',
  month_looks: 'months',
  withdrawals: 'withdrawals',
  ledger_transactions: 'withdrawals',
  ledger_entries: 'withdrawals',
  activity_events: 'activity',
  activity_months: 'activity',
  settings: 'platform',
  audit_differences: 'earnings',
  site_days: 'site',
  messages: 'contact',
  notifications: 'notifications',
  push_devices: 'notifications',
  pushes: 'notifications',
  push_settings: 'notifications',
  reports: 'moderation',
  cases: 'moderation',
  decisions: 'moderation',
  proposals: 'proposals',
  work_versions: 'versions',
  audit_log: 'audit-log',
  export_tickets: 'export',
  purges: 'purging',
  mails: 'mail',
  leases: 'platform',
  rate_limits: 'platform',
  keyring_keys: 'platform',
  key_holders: 'platform',
};

interface Exception {
  why: string;
  reads?: Table[];
  writes?: Table[];
}

/** Tables that every feature may read. */
const readByAll: readonly Table[] = [
  // Lists show the name and picture of people, and leave out what belongs to suspended ones.
  'people',
  // Calls know the id of a reel or post, and read it by its creator.
  'works',
];

/** Features that query tables of others. One that is no longer needed fails the check, so that this list only shrinks. */
const exceptions: Record<string, Exception> = {
  'account-deletion': {
    why: 'Says how much an account holds, before its owner deletes it.',
    reads: ['reels', 'reel_likes', 'reel_comments', 'posts', 'post_likes', 'stories'],
  },
  accounts: {
    why: 'Signing up creates the person; logging out invalidates the addresses of downloads.',
    writes: ['people', 'export_tickets'],
  },
  activity: {
    why: 'An action is about a work of another person.',
    reads: ['reel_likes'],
  },
  months: {
    why: 'A month is counted from its events.',
    reads: [
      ...(['creator_months', 'views', 'reel_days', 'active_people'] as const),
      ...(['creator_viewers', 'reels', 'posts', 'post_likes', 'stories'] as const),
    ],
  },
  earnings: {
    why: 'The audit derives everything again from the events.',
    reads: [
      ...(['months', 'creator_months', 'month_results', 'month_shares', 'established_accounts'] as const),
      'adjustments',
      ...(['withdrawals', 'payout_attempts', 'ledger_transactions', 'ledger_entries'] as const),
      ...(['views', 'reel_days', 'active_people', 'creator_viewers', 'viewer_months'] as const),
      ...(['reels', 'posts', 'post_likes', 'stories', 'activity_events', 'activity_months'] as const),
    ],
  },
  copies: {
    why: 'Says which earlier work was found and whether it is public.',
    reads: ['reels', 'posts', 'stories'],
  },
  export: {
    why: 'The download of personal data holds all that is stored about a person.',
    reads: [
      ...(['identities', 'follows', 'notifications', 'messages'] as const),
      ...(['uploads', 'imports', 'reels', 'reel_likes', 'reel_comments'] as const),
      ...([
        'reel_captions',
        'reel_shares',
        'posts',
        'post_likes',
        'stories',
        'seen_stories',
        'reports',
        'cases',
        'decisions',
        'work_versions',
      ] as const),
      ...(['month_looks', 'withdrawals', 'payout_attempts'] as const),
      ...(['activity_events', 'active_people', 'established_accounts'] as const),
      ...(['copies', 'taste_people', 'taste_watches'] as const),
    ],
  },
  taste: {
    why: 'Lists are ranked in SQL from what is public now, and learned from what was watched; it writes to nothing but its own tables.',
    reads: ['reels', 'follows', 'search_entries', 'views', 'reel_days', 'active_people'],
  },
  uploads: {
    why: 'The copy to watch of a fetched video expires with its upload.',
    reads: ['imports'],
  },
  imports: {
    why: 'An imported video is an upload.',
    reads: ['uploads'],
  },
  search: {
    why: 'Every search joins what is public now; the index is written by the features that own the texts.',
    reads: ['search_entries', 'search_words', 'tags', 'work_tags', 'reel_days'],
    writes: ['search_entries', 'tags'],
  },
  'stored-files': {
    why: 'AVIF is made of public photos, and is named in their rows.',
    reads: ['posts', 'stories'],
  },
  moderation: {
    why: 'Operators see what was reported.',
    reads: ['reels', 'reel_comments', 'posts', 'stories'],
  },
  notifications: {
    why: 'News of a creator is sent to all followers in one statement; what is pushed to a device ends with its session; a line shows the work and the comment that it is about.',
    reads: ['follows', 'sessions', 'reels', 'posts', 'stories'],
  },
  operators: { why: 'Operators suspend people; roles are assigned by a command.', writes: ['people'] },
  'posts-and-stories': {
    why: 'The number of posts is a column of the person; stories of people whom somebody follows come first.',
    reads: ['follows'],
    writes: ['people'],
  },
  reels: { why: 'The number of reels is a column of the person.', writes: ['people'] },
  site: {
    why: 'The sitemap lists all public reels and photos; a day of the site is counted from its events.',
    reads: ['reels', 'posts', 'stories', 'reel_days', 'ledger_transactions'],
  },
  works: { why: 'What it says follows from the rows of reels and posts.', reads: ['reels', 'posts'] },
  versions: { why: 'What is reported and undecided is not edited.', reads: ['cases'] },
  views: {
    why: 'A batch of showings raises the displayed counts of its reels.',
    reads: ['reels'],
    writes: ['reels'],
  },
};

type Query = `${'reads' | 'writes'} ${Table}`;

/** Every query of a table in these files by a feature that is neither its owner nor an exception, as a sentence. */
export function tableViolations(files: { path: string; source: string }[]): string[] {
  const unused = new Set(
    Object.keys(exceptions).flatMap((feature) =>
      [...allowedFor(feature)].map((query) => `${feature} ${query}`),
    ),
  );
  const violations = files.flatMap(({ path, source }) => {
    const [, feature = ''] = /^server\/features\/([^/]+)\//.exec(path) ?? [];
    const allowed = allowedFor(feature);
    return [...queriesIn(source, path.endsWith('.queries.ts'))]
      .filter(({ does, table }) => {
        unused.delete(`${feature} ${does} ${table}`);
        const isOpen = does === 'reads' && readByAll.includes(table);
        return owners[table] !== feature && !isOpen && !allowed.has(`${does} ${table}`);
      })
      .map(({ does, table }) => `${path} ${does} the table ${table}, which belongs to ${owners[table]}.`);
  });
  return [...violations, ...[...unused].map((query) => `tools/table-owners.ts allows in vain: ${query}.`)];
}

function allowedFor(feature: string): Set<Query> {
  const { reads = [], writes = [] } = exceptions[feature] ?? {};
  return new Set([
    ...reads.map((table) => `reads ${table}` as const),
    ...writes.map((table) => `writes ${table}` as const),
  ]);
}

const names = Object.keys(owners).join('|');
const patterns = {
  writes: [
    new RegExp(`\\b(?:insertInto|updateTable|deleteFrom|mergeInto)\\(\\s*'(${names})\\b`, 'g'),
    new RegExp(`\\b(?:insert\\s+into|update|delete\\s+from|merge\\s+into)\\s+(${names})\\b`, 'g'),
  ],
  reads: [
    new RegExp(`\\b(?:selectFrom|\\w+Join(?:Lateral)?|using|from|table)\\(\\s*\\[?\\s*'(${names})\\b`, 'g'),
    new RegExp(`(?<!delete\\s+)\\b(?:from|join|using)\\s+(${names})\\b`, 'g'),
  ],
};
/** The name of a table as a separate string, as in queries for several tables; `views` is also the name of columns. */
const inStrings = new RegExp(`'(?!views')(${names})'`, 'g');
const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

function queriesIn(source: string, hasOnlyQueries: boolean) {
  const code = source.replace(comments, '');
  const tablesOf = (wanted: RegExp[]) =>
    new Set(wanted.flatMap((pattern) => [...code.matchAll(pattern)].map(([, table]) => table as Table)));
  const writes = tablesOf(patterns.writes);
  const reads = tablesOf(patterns.reads);
  if (hasOnlyQueries) for (const table of tablesOf([inStrings])) if (!writes.has(table)) reads.add(table);
  return [
    ...[...writes].map((table) => ({ does: 'writes' as const, table })),
    ...[...reads].map((table) => ({ does: 'reads' as const, table })),
  ];
}

/** The violations in all features, for `npm run check`. */
export function foreignTables(): string[] {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const paths = globSync('server/features/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  return tableViolations(paths.map((path) => ({ path, source: readFileSync(`${root}/${path}`, 'utf8') })));
}
