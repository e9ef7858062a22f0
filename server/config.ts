import { resolve } from 'node:path';
import { z } from 'zod';
import { StartupError } from './platform/startup-error.ts';
import type { StorageSettings } from './platform/storage/open.ts';
import { isTrustworthy } from './platform/trustworthy.ts';
import { readStorage, storageSettings } from './storage-settings.ts';
import { trustedProxies } from './trusted-proxies.ts';

const timeZone = z.string().refine(isTimeZone, { error: 'it must be a time zone such as Asia/Kolkata' });
const flag = z.enum(['on', 'off']).transform((value) => value === 'on');
const port = z.coerce.number().int().min(0).max(65535);
const webAddress = z.url({ protocol: /^https?$/ }).transform((address) => address.replace(/\/+$/, ''));

/** An issuer is named to the letter, as it names itself in its tokens: a slash at its end is part of it. */
const issuer = z
  .url()
  .refine(isTrustworthy, { error: 'it must be an https address (http only on a loopback host)' });

const networks = {
  professional: /^(www\.)?linkedin\.com$/,
  posts: /^(www\.)?(x|twitter)\.com$/,
  photos: /^(www\.)?instagram\.com$/,
};
const linkOf = (url: string) => {
  const { protocol, hostname } = URL.parse(url) ?? {};
  const network = (['professional', 'posts', 'photos'] as const).find((one) =>
    networks[one].test(hostname ?? ''),
  );
  return protocol === 'https:' && network ? { network, url } : undefined;
};
/** `Name, link, link; Name`: which network a link leads to is told by its host. */
const team = z.string().transform((value, { addIssue }) =>
  value.split(';').map((member) => {
    const [name = '', ...links] = member.split(',').map((one) => one.trim());
    const found = links.map(linkOf).filter((one) => one !== undefined);
    if (!name) addIssue('each member must have a name');
    if (found.length !== links.length)
      addIssue('its links must be https addresses on linkedin.com, x.com or instagram.com');
    return { name, links: found };
  }),
);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

interface Setting {
  schema: z.ZodType;
  /** What holds when the variable is unset, as text. */
  default: string;
  about: string;
}

/** Every environment variable, once. The table in README.md is checked against this (config.test.ts). */
export const settings = {
  PORT: { schema: port, default: '3000', about: 'Port of the site and the API; 0 takes a free one' },
  HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    about: 'Address to listen on; `0.0.0.0` for every network',
  },
  ROLE: {
    schema: z.enum(['all', 'web', 'worker']),
    default: 'all',
    about:
      'What this process does: `web` answers people, `worker` does the jobs and answers only `/healthz` and `/readyz`, `all` both. Several of each may share one `DATABASE_URL`',
  },
  DRAIN_SECONDS: {
    schema: z.coerce.number().int().min(0).max(300),
    default: '0',
    about:
      'How long a stopping server goes on answering after `/readyz` has turned 503; longer than a proxy needs to notice',
  },
  METRICS_PORT: {
    schema: port.optional(),
    default: '',
    about: 'Port that answers `/metrics` in the format of Prometheus; keep it from the public. Unset: none',
  },
  METRICS_HOST: {
    schema: z.string().min(1),
    default: '127.0.0.1',
    about: 'Address on which the metrics port listens',
  },
  ORIGIN: {
    schema: webAddress.optional(),
    default: '',
    about:
      'Public address of the site, such as `https://jhalak.example`; used in canonical links and cards. Unset: what the request says; behind a trusted proxy it has to be set',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    default: './data',
    about:
      'Folder for the embedded database, uploads and media; with `STORAGE=s3` for what is being worked on',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: '',
    about: 'A PostgreSQL 15 or later to use; unset: an embedded PostgreSQL 18 in `DATA_DIR`',
  },
  MEDIA_ORIGIN: {
    schema: webAddress.optional(),
    default: '',
    about: 'Another host that serves `/media`, such as `https://media.jhalak.example`; unset: this one',
  },
  PURGE_URL: {
    schema: webAddress.optional(),
    default: '',
    about:
      'Who is told by POST, as a JSON list of addresses, what a CDN or a public bucket is to forget because it was deleted, taken down or belongs to somebody suspended; unset: nobody',
  },
  ...storageSettings,
  JHALAK_DEMO: {
    schema: flag,
    default: 'on',
    about:
      '`on`: an empty embedded database is filled with demo content at the first start; `off`: it stays empty',
  },
  TIME_ZONE: {
    schema: timeZone,
    default: 'Asia/Kolkata',
    about: 'Business time zone: where a calendar month of earnings begins and ends',
  },
  TRUST_PROXY: {
    schema: trustedProxies,
    default: 'off',
    about:
      'Addresses or networks of your own proxies, such as `10.0.0.5,10.1.0.0/16,fd00::/64`; `on`: those of this machine. What they add to `X-Forwarded-For` is believed; forwarded headers of anybody else, and all with `off`, are ignored',
  },
  MEDIA_WORKERS: {
    schema: z.coerce.number().int().min(1).max(64),
    default: '1',
    about: 'How many uploads are turned into renditions at once',
  },
  MEDIA_SLICE: {
    schema: z.coerce.number().min(1).max(3600),
    default: '120',
    about:
      "After so many seconds a task on an upload rests while another person's that waits is done in its place",
  },
  BACKGROUND_WORKERS: {
    schema: z.coerce.number().int().min(0).max(64),
    default: '1',
    about:
      'How many published photos are turned into AVIF at once; older ones, and older reels without a JPEG for cards, only while the machine is idle; 0: none, they stay as they are',
  },
  REQUESTS_AT_ONCE: {
    schema: z.coerce.number().int().min(1).max(1_000_000),
    default: '256',
    about:
      'How many requests one process works on at once while its processor has time left; others wait for their turn, which goes by client, for up to three seconds and are then answered 503 (uploads and downloads do not count)',
  },
  CONNECTIONS: {
    schema: z.coerce.number().int().min(10).max(1_000_000),
    default: '10000',
    about:
      'How many connections one process holds open; beyond it the network with the most loses the one that has been idle longest. Fewer than the files that the system lets a process open',
  },
  DISK_RESERVE: {
    schema: z.coerce.number().int().min(0),
    default: '512',
    about:
      'Megabytes of the disk that are kept free for the database: uploads, imports and what is made of them reserve their room before the first byte, and what would enter it is answered 507 or waits',
  },
  MEDIA_CHECKS: {
    schema: z.coerce.number().int().min(1).max(64),
    default: '4',
    about: 'How many files are looked over at once while whoever sent them waits; photos are rewritten then',
  },
  UPLOAD_PIECE: {
    schema: z.coerce.number().int().min(1).max(500),
    default: '16',
    about:
      'How many megabytes the site sends in one request; less than the largest body that a proxy in front lets through',
  },
  UNPUBLISHED_MB: {
    schema: z.coerce.number().int().min(1),
    default: '6144',
    about:
      'How many megabytes one person may have uploaded and not published yet, those still arriving included: ten videos of the largest size, and one more; more is answered 409',
  },
  UNPUBLISHED_FILES: {
    schema: z.coerce.number().int().min(1),
    default: '100',
    about: 'How many files that may be',
  },
  LINK_IMPORT: {
    schema: flag,
    default: 'on',
    about:
      '`on`: the public video behind a YouTube or Instagram link can be fetched; `off`: the pages say that it cannot',
  },
  LINKS_WITHOUT_LOGIN: {
    schema: z.coerce.number().int().min(0).max(1000),
    default: '5',
    about: 'How many links a day one network may have fetched without a login; `0`: a login is needed',
  },
  STORE_ANDROID: {
    schema: webAddress,
    default: 'https://play.google.com/store/apps',
    about: 'Where the app is for Android',
  },
  STORE_IOS: { schema: webAddress, default: 'https://apps.apple.com', about: 'Where the app is for iPhone' },
  FOLLOW_INSTAGRAM: {
    schema: webAddress,
    default: 'https://www.instagram.com',
    about: 'Where to follow the site for photos',
  },
  FOLLOW_YOUTUBE: {
    schema: webAddress,
    default: 'https://www.youtube.com',
    about: 'Where to follow the site for videos',
  },
  FOLLOW_X: {
    schema: webAddress,
    default: 'https://x.com',
    about: 'Where to follow the site for short posts',
  },
  ANALYTICS_ID: {
    schema: z
      .string()
      .regex(/^G-[A-Z0-9]{4,20}$/, { error: 'it must be a measurement id such as G-AB12CD34EF' })
      .optional(),
    default: '',
    about:
      'Measurement id of Google Analytics 4, such as `G-AB12CD34EF`: visits are then counted there, without cookies, unless a browser asks not to be measured. Unset: no page asks anybody',
  },
  TEAM: {
    schema: team,
    default: 'Ishan Verma; Kavya Menon; Rohan Das',
    about:
      'Who stands on the About page: the founder first, then contributors, separated by `;`, each with the links to show behind commas: `Asha Rao, https://www.linkedin.com/in/asha, https://x.com/asha; Kavya Menon`. The names of the default are made up',
  },
  OIDC_ISSUER: {
    schema: issuer,
    default: 'https://accounts.google.com',
    about: 'Who vouches for people who do not sign in by password: an OpenID Connect issuer',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1).max(300).optional(),
    default: '',
    about:
      'Client id of this site at that issuer, which must know `<ORIGIN>/LoginGoogle/return` as a redirect address, and `<ORIGIN>/LoginGoogle` as one after logging out if it has a logout; unset: e-mail login only',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'warn',
    about: 'How much the log on standard error tells; `info` adds a line a request',
  },
} as const satisfies Record<string, Setting>;

export interface Config {
  port: number;
  host: string;
  role: 'all' | 'web' | 'worker';
  drainSeconds: number;
  /** Undefined: no figures are told. */
  metricsPort: number | undefined;
  metricsHost: string;
  origin: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  mediaOrigin: string;
  purges: { url: string | undefined; origins: { site: string; media: string } };
  storage: StorageSettings;
  /** How `/media` hands out what lies in a bucket. */
  mediaDelivery: 'proxy' | 'redirect';
  demo: boolean;
  timeZone: string;
  /** Addresses and networks of proxies that are ours. */
  trustProxy: string[];
  mediaWorkers: number;
  /** In seconds. */
  mediaSlice: number;
  backgroundWorkers: number;
  requestsAtOnce: number;
  connections: number;
  /** In bytes. */
  diskReserve: number;
  mediaChecks: number;
  /** In bytes. */
  uploadPiece: number;
  /** What one person may have uploaded and not published yet; bytes. */
  unpublished: { files: number; bytes: number };
  linkImport: boolean;
  /** A day, for each network. */
  linksWithoutLogin: number;
  stores: { android: string; ios: string };
  follow: { instagram: string; youtube: string; x: string };
  analyticsId: string | undefined;
  team: z.output<typeof team>;
  oidc: { issuer: string; clientId: string | undefined };
  logLevel: string;
}

/** Reads and validates the environment. Throws one sentence that names the variable. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const read = <N extends keyof typeof settings>(name: N): z.output<(typeof settings)[N]['schema']> => {
    const { schema, default: fallback } = settings[name];
    const value = environment[name] || fallback || undefined;
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const reason = parsed.error.issues[0]?.message ?? 'is not valid';
      throw new StartupError(`The setting ${name} cannot be used: ${reason}.`);
    }
    return parsed.data as z.output<(typeof settings)[N]['schema']>;
  };
  const trustProxy = read('TRUST_PROXY');
  const origin = read('ORIGIN');
  if (trustProxy.length > 0 && !origin)
    throw new StartupError(
      'TRUST_PROXY is set, but ORIGIN is not: set ORIGIN to the public address of the site, such as https://jhalak.example.',
    );
  const mediaOrigin = read('MEDIA_ORIGIN') ?? '';
  const purgeUrl = read('PURGE_URL');
  if (purgeUrl && !origin)
    throw new StartupError(
      'PURGE_URL is set, but ORIGIN is not: set ORIGIN to the public address of the site, which purged addresses begin with.',
    );
  return {
    port: read('PORT'),
    host: read('HOST'),
    role: read('ROLE'),
    drainSeconds: read('DRAIN_SECONDS'),
    metricsPort: read('METRICS_PORT'),
    metricsHost: read('METRICS_HOST'),
    origin,
    dataDir: resolve(read('DATA_DIR')),
    databaseUrl: read('DATABASE_URL'),
    mediaOrigin,
    purges: { url: purgeUrl, origins: { site: origin ?? '', media: mediaOrigin } },
    ...readStorage(read, (name) => Boolean(environment[name])),
    demo: read('JHALAK_DEMO'),
    timeZone: read('TIME_ZONE'),
    trustProxy,
    mediaWorkers: read('MEDIA_WORKERS'),
    mediaSlice: read('MEDIA_SLICE'),
    backgroundWorkers: read('BACKGROUND_WORKERS'),
    requestsAtOnce: read('REQUESTS_AT_ONCE'),
    connections: read('CONNECTIONS'),
    diskReserve: read('DISK_RESERVE') * 1024 * 1024,
    mediaChecks: read('MEDIA_CHECKS'),
    uploadPiece: read('UPLOAD_PIECE') * 1024 * 1024,
    unpublished: { files: read('UNPUBLISHED_FILES'), bytes: read('UNPUBLISHED_MB') * 1024 * 1024 },
    linkImport: read('LINK_IMPORT'),
    linksWithoutLogin: read('LINKS_WITHOUT_LOGIN'),
    stores: { android: read('STORE_ANDROID'), ios: read('STORE_IOS') },
    follow: { instagram: read('FOLLOW_INSTAGRAM'), youtube: read('FOLLOW_YOUTUBE'), x: read('FOLLOW_X') },
    analyticsId: read('ANALYTICS_ID'),
    team: read('TEAM'),
    oidc: { issuer: read('OIDC_ISSUER'), clientId: read('OIDC_CLIENT_ID') },
    logLevel: read('LOG_LEVEL'),
  };
}
