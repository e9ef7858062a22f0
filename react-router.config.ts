import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'web',
  ssr: true,
  // A few dozen routes: all of them are known from the start, without a request of their own.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
