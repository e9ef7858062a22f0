/** What a cluster has of its own: no other project of tests can run them. */
export const clusterTests = [
  'server/spread.test.ts',
  'server/spread-kills.test.ts',
  'e2e/spread-topology.test.ts',
];

/** Test files of all that touches spread tables, and of the main journeys, for `npm run test:citus` (docs/scaling.md). */
export const onCluster = [
  ...clusterTests,
  ...[
    ...[
      'account-deletion',
      'accounts',
      'activity',
      'copies',
      'destinations',
      'earnings',
      'export',
      'identity',
    ],
    ...['moderation', 'months', 'notifications', 'notifications/push', 'operators', 'passkeys', 'payers'],
    ...['people', 'posts-and-stories', 'reels', 'search', 'second-factor', 'site', 'taste', 'uploads'],
    ...['versions', 'views', 'withdrawals', 'works'],
  ].map((feature) => `server/features/${feature}/*.test.ts`),
  // The main journeys, in a browser.
  ...['comments', 'for-you', 'home', 'journey'].map((journey) => `e2e/${journey}.test.ts`),
];

/** Those of them that make or restore a backup, which a cluster refuses. */
export const withBackup = [
  'server/features/payers/planted.test.ts',
  'server/features/payers/restored-histories.test.ts',
  'server/features/payers/restored-site.test.ts',
];
