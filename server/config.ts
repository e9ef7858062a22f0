import { join, resolve } from 'node:path';
import { z } from 'zod';
import { normalEmail, normalEmailOr } from '#contract/email-address.ts';
import { type ReportHours, reportHours, usualReportHours } from './features/moderation/deadlines.ts';
import { type FcmAccount, readFcmAccount } from './features/notifications/push/fcm-account.ts';
import { type FileColumn, readTemplate } from './features/payer-services/file.ts';
import type { RazorpayxSettings } from './features/payer-services/razorpayx.ts';
import { isLoopback } from './platform/is-secure-origin.ts';
import { type AppOrigin, appOrigins } from './platform/relying-party.ts';
import { StartupError } from './platform/startup-error.ts';
import type { StorageSettings } from './platform/storage/open.ts';
import { readStorage, storageSettings } from './storage-settings.ts';
import { trustedProxies } from './trusted-proxies.ts';
import { baseAddress, issuerAddress, originAddress, secureBaseAddress, webAddress } from './web-addresses.ts';

const timeZone = z.string().refine(isTimeZone, { error: 'it must be a time zone such as Asia/Kolkata' });
const flag = z.enum(['on', 'off']).transform((value) => value === 'on');
const port = z.coerce.number().int().min(0).max(65535);
/** A host name or an IP address, without a port. */
const hostAddress = z
  .string()
  .regex(/^[\w.:%-]+$/, { error: 'it must be a host name or an IP address, without a scheme or path' });
const maxMegabytes = 1_000_000_000;

const networks = {
  professional: /^(www\.)?linkedin\.com$/,
  posts: /^(www\.)?(x|twitter)\.com$/,
  photos: /^(www\.)?instagram\.com$/,
};
const linkOf = (url: string) => {
  const { protocol, hostname } = URL.parse(url) ?? {};
  const network = (['professional', 'posts', 'photos'] as const).find((name) =>
    networks[name].test(hostname ?? ''),
  );
  return protocol === 'https:' && network ? { network, url } : undefined;
};
/** `Name, link, link; Name`: the host of a link determines its network. */
const team = z.string().transform((value, { addIssue }) =>
  value.split(';').map((member) => {
    const [name = '', ...links] = member.split(',').map((word) => word.trim());
    const known = links.map(linkOf).filter((link) => link !== undefined);
    if (!name) addIssue('each member must have a name');
    if (known.length !== links.length)
      addIssue('its links must be https addresses on linkedin.com, x.com or instagram.com');
    return { name, links: known };
  }),
);

/** What is in the file of this path. */
const fileRead = <T>(read: (path: string) => T) =>
  z.string().transform((path, { addIssue }) => {
    try {
      return read(path);
    } catch (error) {
      addIssue((error as Error).message);
      return z.NEVER;
    }
  });

/**
 * Names of places, which this server and PostgreSQL understand alike. Of others PostgreSQL has its own idea: its IST is in
 * Israel, and its +05:30 west of Greenwich.
 */
function isTimeZone(name: string): boolean {
  if (!/^(?:UTC|GMT|[a-z_]+\/[\w+\-/]+)$/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

interface Setting {
  schema: z.ZodType;
  /** The value when the variable is unset, as text. */
  default: string;
  /** One sentence for docs/configuration.md. */
  about: string;
}

/** Every environment variable, once. docs/configuration.md is generated from it (config.test.ts). */
export const settings = {
  PORT: { schema: port, default: '3000', about: 'Port of the site and the API; 0 takes a free one' },
  HOST: {
    schema: hostAddress,
    default: '127.0.0.1',
    about: 'Address to listen on; `0.0.0.0` for every network',
  },
  ROLE: {
    schema: z.enum(['all', 'web', 'worker']),
    default: 'all',
    about:
      'What this process does: `web` serves the site and the API, `worker` runs jobs and serves only `/healthz` and `/readyz`, `all` does both. Several of each can share one `DATABASE_URL`',
  },
  DRAIN_SECONDS: {
    schema: z.coerce.number().int().min(0).max(300),
    default: '0',
    about:
      'How many seconds a stopping server continues to answer after `/readyz` has become 503; longer than a proxy needs to notice it',
  },
  METRICS_PORT: {
    schema: port.optional(),
    default: '',
    about:
      'Port that serves `/metrics` in the format of Prometheus; do not expose it to the public. Unset: no metrics',
  },
  METRICS_HOST: {
    schema: hostAddress,
    default: '127.0.0.1',
    about: 'Address on which the metrics port listens',
  },
  ORIGIN: {
    schema: originAddress.optional(),
    default: '',
    about:
      'Public address of the site, such as `https://jhalak.example`, for canonical links and cards. Unset: the host of the request. Required with `TRUST_PROXY`',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    default: './data',
    about: 'Folder for the embedded database, uploads and media; with `STORAGE=s3` only for temporary files',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    default: '',
    about: 'PostgreSQL 15 or later. Unset: an embedded PostgreSQL 18 in `DATA_DIR`',
  },
  KEYS_DIR: {
    schema: z.string().min(1).optional(),
    default: '',
    about:
      'Folder of the keys that protect stored data, made at the first start; writable, outside the database and its backups, and the same for all processes. Unset: `keys` in `DATA_DIR`. Required with `DATABASE_URL`',
  },
  SMTP_URL: {
    schema: z
      .url({
        protocol: /^smtps?$/,
        hostname: /./,
        error: 'it must be an address such as smtps://user:password@mail.example',
      })
      .optional(),
    default: '',
    about:
      'Mail server, such as `smtps://user:password@mail.example` or `smtp://mail.example:587`; a password is sent only through TLS. Requires `ORIGIN`. Unset: no mail, and nobody can reset a forgotten password',
  },
  MAIL_FROM: {
    schema: z
      .string()
      .overwrite(normalEmailOr)
      .refine((address) => normalEmail(address) !== undefined, { error: 'it must be a mail address' })
      .optional(),
    default: '',
    about: 'Address that mails come from. Unset: `no-reply@` and the host of `ORIGIN`',
  },
  FCM_KEY_FILE: {
    schema: fileRead(readFcmAccount).optional(),
    default: '',
    about:
      'Key file of a service account of Firebase, by which notifications are pushed to the mobile app. Unset: none are. Browsers need none: with `ORIGIN` set they get push messages',
  },
  MEDIA_ORIGIN: {
    schema: baseAddress.optional(),
    default: '',
    about: 'Another host that serves `/media`, such as `https://media.jhalak.example`. Unset: this server',
  },
  PURGE_URL: {
    schema: webAddress.optional(),
    default: '',
    about:
      'Address that gets a POST with a JSON list of addresses that a CDN or a public bucket must remove from its cache: content that was deleted or taken down, or belongs to a suspended person. Unset: no such calls',
  },
  ...storageSettings,
  JHALAK_DEMO: {
    schema: flag,
    default: 'on',
    about:
      '`on`: the first start fills an empty embedded database with demo content, and a site that has it sends no mail and pays by the file alone; `off`: it stays empty',
  },
  TIME_ZONE: {
    schema: timeZone,
    default: 'Asia/Kolkata',
    about: 'Business time zone, in which the days and months of earnings begin and end',
  },
  TRUST_PROXY: {
    schema: trustedProxies,
    default: 'off',
    about:
      'Addresses or networks of your own proxies, such as `10.0.0.5,10.1.0.0/16,fd00::/64`; `on`: loopback addresses. Only their forwarded headers are trusted; with `off`, none are',
  },
  MEDIA_WORKERS: {
    schema: z.coerce.number().int().min(1).max(64),
    default: '1',
    about:
      'How many short videos are encoded at the same time, and how many long ones beside them. Long is more than half a minute in full HD',
  },
  MEDIA_PRIORITY: {
    schema: z.enum(['low', 'normal']),
    default: 'low',
    about:
      '`low`: media tasks run at the lowest priority of the system, so requests are answered first; `normal`: at that of the server, for a machine on which other programs are always busy',
  },
  BACKGROUND_WORKERS: {
    schema: z.coerce.number().int().min(0).max(64),
    default: '1',
    about: 'How many published photos are encoded as AVIF at the same time. `0`: none',
  },
  FAIR_SHARE: {
    schema: z.coerce.number().int().min(0).max(50),
    default: '15',
    about:
      'How many of a hundred reels of For you are works of the last 24 hours that fewer than 100 people have been shown',
  },
  MAX_CONCURRENT_REQUESTS: {
    schema: z.coerce.number().int().min(1).max(1_000_000),
    default: '256',
    about:
      'How many requests one process handles at the same time. More requests wait in a queue that is fair between clients, for up to three seconds, and then get a 503. Uploads and downloads are not counted',
  },
  MAX_CONNECTIONS: {
    schema: z.coerce.number().int().min(10).max(1_000_000),
    default: '10000',
    about:
      'How many connections one process keeps open. Above it, the network with the most connections loses the one that has been idle longest. Keep it below the number of files that the system lets a process open',
  },
  DISK_RESERVE_MB: {
    schema: z.coerce.number().int().min(0).max(maxMegabytes),
    default: '512',
    about:
      'Megabytes of the disk that stay free for the database. Uploads, imports and renditions reserve their space before the first byte; an upload that does not fit gets a 507, and a job waits',
  },
  MAX_CONCURRENT_PROBES: {
    schema: z.coerce.number().int().min(1).max(64),
    default: '4',
    about:
      'How many uploaded files are checked at the same time, while their senders wait. Photos are converted in this step',
  },
  UPLOAD_CHUNK_MB: {
    schema: z.coerce.number().int().min(1).max(500),
    default: '16',
    about:
      'Megabytes that the site uploads in one request. Keep it below the largest request body that a proxy in front accepts',
  },
  UNPUBLISHED_MB: {
    schema: z.coerce.number().int().min(1).max(maxMegabytes),
    default: '6144',
    about:
      'How many megabytes of uploads one person may have that are not published yet, including uploads in progress. More gets a 409',
  },
  UNPUBLISHED_FILES: {
    schema: z.coerce.number().int().min(1).max(1_000_000),
    default: '100',
    about: 'How many unpublished uploads one person may have',
  },
  INTERACTIONS: {
    schema: z.enum(['app', 'web']),
    default: 'app',
    about:
      '`app`: people like, comment, follow and edit their profile in the mobile app, and the site leads to it; `web`: they do so on the site, for whoever runs a site without an app ([interactions.md](interactions.md))',
  },
  LINK_IMPORT: {
    schema: flag,
    default: 'on',
    about:
      '`on`: people can import the public video behind a YouTube or Instagram link; `off`: the pages say that they cannot',
  },
  ANONYMOUS_LINKS_PER_DAY: {
    schema: z.coerce.number().int().min(0).max(1000),
    default: '5',
    about:
      'How many links an IPv4 address or an IPv6 /64 may download per day without a login, and a hundred times as many an IPv6 /48; `0`: a login is required',
  },
  REPORT_HOURS: {
    schema: reportHours,
    default: usualReportHours,
    about:
      'Hours until a report must be decided, by its reason: `intimate`, `child_safety`, `order`, `sexual`, `violence`, `hate`, `harassment`, `copied`, `spam`, `other`, `appeal`; `others` is every reason that is not named. The defaults follow Indian law of 20 February 2026 as we read it: have a lawyer check them',
  },
  GRIEVANCE_EMAIL: {
    schema: z
      .string()
      .overwrite(normalEmailOr)
      .refine((address) => normalEmail(address) !== undefined, { error: 'it must be a mail address' })
      .optional(),
    default: '',
    about:
      'The mail address of the grievance officer, which people read beside a decision against them. Indian law wants one; have a lawyer check it',
  },
  PAYOUT_APPROVAL_ABOVE: {
    schema: z.coerce.number().int().min(0).max(1_000_000_000),
    default: '10000',
    about:
      'Rupees that one operator alone may pay within a day, by batches and by hand; a batch above it waits for the approval of a second operator. `0`: every batch does, and nothing is paid by hand',
  },
  PAYOUT_FILE_TEMPLATE: {
    schema: fileRead(readTemplate).optional(),
    default: '',
    about:
      'CSV of two lines, the headings and the cells of a file for the payer, such as `{id}`, `{payee}`, `{account}`, `{ifsc}`, `{vpa}` and `{rupees}`; all of them: `npm run admin -- payouts send --help`. Unset: a column for each',
  },
  PAYER: {
    schema: z.enum(['file', 'razorpayx']),
    default: 'file',
    about:
      'Who pays new batches: `file`, which an operator takes to a bank, or `razorpayx`, the payouts of RazorpayX. What was sent before stays with its payer',
  },
  RAZORPAYX_URL: {
    schema: secureBaseAddress,
    default: 'https://api.razorpay.com',
    about: 'Address of the API of RazorpayX; `http` only on this machine, for tests',
  },
  RAZORPAYX_KEY_ID: {
    schema: z
      .string()
      .regex(/^rzp_\w{1,60}$/, { error: 'it must be a key id such as rzp_live_AB12cd34' })
      .optional(),
    default: '',
    about:
      'Key of the API of RazorpayX. Keep this and the next three as long as RazorpayX has payments of this site, also after `PAYER` is `file` again',
  },
  RAZORPAYX_KEY_SECRET: {
    schema: z.string().min(8, { error: 'it is too short' }).optional(),
    default: '',
    about: 'Secret of that key',
  },
  RAZORPAYX_ACCOUNT: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9]{5,40}$/, { error: 'it must be the number of an account' })
      .optional(),
    default: '',
    about: 'Number of the account at RazorpayX that pays: of the current account, or the customer identifier',
  },
  RAZORPAYX_WEBHOOK_SECRET: {
    schema: z.string().min(16, { error: 'it must have at least 16 characters' }).optional(),
    default: '',
    about:
      'Secret with which RazorpayX signs its webhooks to `/api/payouts/webhook/razorpayx`; you choose it where you set up the webhook',
  },
  STORE_ANDROID: {
    schema: webAddress,
    default: 'https://play.google.com/store/apps',
    about: 'Where the Android app can be installed',
  },
  STORE_IOS: {
    schema: webAddress,
    default: 'https://apps.apple.com',
    about: 'Where the iPhone app can be installed',
  },
  FOLLOW_INSTAGRAM: {
    schema: webAddress,
    default: 'https://www.instagram.com',
    about: 'The Instagram account of the site',
  },
  FOLLOW_YOUTUBE: {
    schema: webAddress,
    default: 'https://www.youtube.com',
    about: 'The YouTube channel of the site',
  },
  FOLLOW_X: {
    schema: webAddress,
    default: 'https://x.com',
    about: 'The X account of the site',
  },
  ANALYTICS_ID: {
    schema: z
      .string()
      .regex(/^G-[A-Z0-9]{4,20}$/, { error: 'it must be a measurement id such as G-AB12CD34EF' })
      .optional(),
    default: '',
    about:
      'Measurement id of Google Analytics 4, such as `G-AB12CD34EF`. Visits are then counted there, without cookies, unless the browser sends Do Not Track or Global Privacy Control. Unset: no analytics',
  },
  TEAM: {
    schema: team,
    default: 'Ishan Verma; Kavya Menon; Rohan Das',
    about:
      'People on the About page: the founder first, then contributors, separated by `;`, each with links after commas: `Asha Rao, https://www.linkedin.com/in/asha, https://x.com/asha; Kavya Menon`. The default names are invented',
  },
  OIDC_ISSUER: {
    schema: issuerAddress,
    default: 'https://accounts.google.com',
    about: 'OpenID Connect issuer for people who do not log in with a password',
  },
  OIDC_CLIENT_ID: {
    schema: z.string().min(1).max(300).optional(),
    default: '',
    about:
      'Client id of this site at that issuer. Register `<ORIGIN>/LoginGoogle/return` there as a redirect address, and `<ORIGIN>/LoginGoogle` as an address after logout. Unset: only e-mail login',
  },
  APP_ORIGINS: {
    schema: appOrigins.optional(),
    default: '',
    about:
      'Apps that may use passkeys of this site, between commas: `android:<package>:<SHA-256 of its certificate>`, `ios:<team>.<bundle>`. Needs `ORIGIN`',
  },
  TEST_CLOCK: {
    schema: z.string().min(1).optional(),
    default: '',
    about:
      'For trying out what takes weeks: a file that contains an instant, such as `2026-12-01T00:00:00+05:30`. The time of the site starts there when the file is written, and moves whenever it is written again. Refused unless `SMTP_URL` and `RAZORPAYX_URL` are unset or on a loopback address. Unset: the time of the machine',
  },
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'warn',
    about: 'Level of the log on standard error; `info` adds one line per request',
  },
} as const satisfies Record<string, Setting>;

export interface Config {
  port: number;
  host: string;
  role: 'all' | 'web' | 'worker';
  drainSeconds: number;
  /** Undefined: no metrics are served. */
  metricsPort: number | undefined;
  metricsHost: string;
  origin: string | undefined;
  /** Apps that may use passkeys of this site. */
  appOrigins: readonly AppOrigin[];
  dataDir: string;
  databaseUrl: string | undefined;
  keysDir: string;
  mediaOrigin: string;
  purges: { url: string | undefined; origins: { site: string; media: string } };
  storage: StorageSettings;
  /** The mail server, and the sender address. Undefined: no mail is sent. */
  mail: { url: string; from: string; origin: string } | undefined;
  fcmAccount: FcmAccount | undefined;
  /** How `/media` serves files of a bucket. */
  mediaDelivery: 'proxy' | 'redirect';
  demo: boolean;
  timeZone: string;
  /** Addresses and networks of our own proxies. */
  trustProxy: string[];
  mediaWorkers: number;
  mediaPriority: 'low' | 'normal';
  backgroundWorkers: number;
  /** From 0 to 1. */
  fairShare: number;
  maxConcurrentRequests: number;
  maxConnections: number;
  /** In bytes. */
  diskReserveBytes: number;
  maxConcurrentProbes: number;
  /** In bytes. */
  uploadChunkBytes: number;
  /** What one person may have uploaded and not yet published, in files and bytes. */
  unpublished: { files: number; bytes: number };
  /** Where people like, comment, follow and edit their profile. */
  interactions: 'app' | 'web';
  linkImport: boolean;
  /** A day, for each network. */
  anonymousLinksPerDay: number;
  /** Hours until a report must be decided, by its reason. */
  reportHours: ReportHours;
  /** Empty: the site names no grievance officer. */
  grievanceEmail: string;
  payouts: {
    /** Paise that one operator alone may pay within a day. */
    approvalAbove: number;
    /** Columns of the payer's file. */
    columns: readonly FileColumn[] | undefined;
    /** The payer of new batches. */
    payer: 'file' | 'razorpayx';
    /** Undefined: this site has no account there. */
    razorpayx: RazorpayxSettings | undefined;
  };
  stores: { android: string; ios: string };
  follow: { instagram: string; youtube: string; x: string };
  analyticsId: string | undefined;
  team: z.output<typeof team>;
  oidc: { issuer: string; clientId: string | undefined };
  /** The file of a test clock. Undefined: the time of the machine. */
  testClock: string | undefined;
  logLevel: string;
}

type Environment = Record<string, string | undefined>;

/** Reads and validates the environment. Throws a StartupError, one sentence that names the variable. */
export function readConfig(environment: Environment): Config {
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
  const [dataDir, databaseUrl, keysDir] = [resolve(read('DATA_DIR')), read('DATABASE_URL'), read('KEYS_DIR')];
  if (databaseUrl && !keysDir)
    throw new StartupError(
      'DATABASE_URL is set, but KEYS_DIR is not: set KEYS_DIR to a folder that all processes of the site share, and that is not in the backups of the database.',
    );
  const smtpUrl = read('SMTP_URL');
  if (smtpUrl && !origin)
    throw new StartupError(
      'SMTP_URL is set, but ORIGIN is not: set ORIGIN to the public address of the site, which links in mails begin with.',
    );
  const mailFrom = read('MAIL_FROM');
  const testClock = read('TEST_CLOCK');
  if (testClock && smtpUrl && !isLoopback(new URL(smtpUrl).hostname))
    throw new StartupError(
      'TEST_CLOCK is set, but SMTP_URL is the mail server of real people: unset one of them, or use a mail server on this machine.',
    );
  const payer = read('PAYER');
  const razorpayx = readRazorpayx(read, payer);
  if (testClock && razorpayx && !isLoopback(new URL(razorpayx.url).hostname))
    throw new StartupError(
      'TEST_CLOCK is set, but RAZORPAYX_URL is the payer of real money: unset one of them, or use a payer on this machine.',
    );
  if (read('APP_ORIGINS') && !origin)
    throw new StartupError(
      'APP_ORIGINS is set, but ORIGIN is not: set ORIGIN to the public address of the site, to which passkeys of the apps belong.',
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
    dataDir,
    databaseUrl,
    keysDir: keysDir ? resolve(keysDir) : join(dataDir, 'keys'),
    mediaOrigin,
    mail:
      smtpUrl && origin
        ? { url: smtpUrl, from: mailFrom ?? `no-reply@${new URL(origin).hostname}`, origin }
        : undefined,
    fcmAccount: read('FCM_KEY_FILE'),
    purges: { url: purgeUrl, origins: { site: origin ?? '', media: mediaOrigin } },
    ...readStorage(read, (name) => Boolean(environment[name])),
    demo: read('JHALAK_DEMO'),
    timeZone: read('TIME_ZONE'),
    trustProxy,
    mediaWorkers: read('MEDIA_WORKERS'),
    mediaPriority: read('MEDIA_PRIORITY'),
    backgroundWorkers: read('BACKGROUND_WORKERS'),
    fairShare: read('FAIR_SHARE') / 100,
    maxConcurrentRequests: read('MAX_CONCURRENT_REQUESTS'),
    maxConnections: read('MAX_CONNECTIONS'),
    diskReserveBytes: read('DISK_RESERVE_MB') * 1024 * 1024,
    maxConcurrentProbes: read('MAX_CONCURRENT_PROBES'),
    uploadChunkBytes: read('UPLOAD_CHUNK_MB') * 1024 * 1024,
    unpublished: { files: read('UNPUBLISHED_FILES'), bytes: read('UNPUBLISHED_MB') * 1024 * 1024 },
    interactions: read('INTERACTIONS'),
    linkImport: read('LINK_IMPORT'),
    anonymousLinksPerDay: read('ANONYMOUS_LINKS_PER_DAY'),
    reportHours: read('REPORT_HOURS'),
    grievanceEmail: read('GRIEVANCE_EMAIL') ?? '',
    payouts: {
      approvalAbove: read('PAYOUT_APPROVAL_ABOVE') * 100,
      columns: read('PAYOUT_FILE_TEMPLATE'),
      payer,
      razorpayx,
    },
    stores: { android: read('STORE_ANDROID'), ios: read('STORE_IOS') },
    follow: { instagram: read('FOLLOW_INSTAGRAM'), youtube: read('FOLLOW_YOUTUBE'), x: read('FOLLOW_X') },
    analyticsId: read('ANALYTICS_ID'),
    team: read('TEAM'),
    oidc: { issuer: read('OIDC_ISSUER'), clientId: read('OIDC_CLIENT_ID') },
    appOrigins: read('APP_ORIGINS') ?? [],
    testClock: testClock && resolve(testClock),
    logLevel: read('LOG_LEVEL'),
  };
}

type Read = <N extends keyof typeof settings>(name: N) => z.output<(typeof settings)[N]['schema']>;

/** Either all settings of RazorpayX, or none. */
function readRazorpayx(read: Read, payer: string): RazorpayxSettings | undefined {
  const given = {
    RAZORPAYX_KEY_ID: read('RAZORPAYX_KEY_ID'),
    RAZORPAYX_KEY_SECRET: read('RAZORPAYX_KEY_SECRET'),
    RAZORPAYX_ACCOUNT: read('RAZORPAYX_ACCOUNT'),
    RAZORPAYX_WEBHOOK_SECRET: read('RAZORPAYX_WEBHOOK_SECRET'),
  };
  const url = read('RAZORPAYX_URL');
  const { RAZORPAYX_KEY_ID: keyId, RAZORPAYX_KEY_SECRET: keySecret } = given;
  const { RAZORPAYX_ACCOUNT: account, RAZORPAYX_WEBHOOK_SECRET: webhookSecret } = given;
  if (keyId && keySecret && account && webhookSecret)
    return { url, keyId, keySecret, account, webhookSecret };
  const missing = Object.entries(given).flatMap(([name, value]) => (value ? [] : [name]));
  if (payer === 'razorpayx')
    throw new StartupError(
      `PAYER is razorpayx, but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set: RazorpayX pays only with all of them.`,
    );
  if (missing.length < Object.keys(given).length)
    throw new StartupError(
      `Some settings of RazorpayX are set, but ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not: set all of them, or none.`,
    );
  return undefined;
}
