import { resolve } from 'node:path';
import { z } from 'zod';
import { StartupError } from './platform/startup-error.ts';

const timeZone = z.string().refine(isTimeZone, { error: 'it must be a time zone such as Asia/Kolkata' });
const flag = z.enum(['on', 'off']).transform((value) => value === 'on');
const port = z.coerce.number().int().min(0).max(65535);
const webAddress = z.url({ protocol: /^https?$/ }).transform((address) => address.replace(/\/+$/, ''));

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
  ORIGIN: {
    schema: webAddress.optional(),
    default: '',
    about:
      'Public address of the site, such as `https://jhalak.example`; used in canonical links and cards. Unset: what the request says',
  },
  DATA_DIR: {
    schema: z.string().min(1),
    default: './data',
    about: 'Folder for the embedded database, uploads and media',
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
    schema: flag,
    default: 'off',
    about:
      "`on` behind a proxy of yours that sets `X-Forwarded-For`; `off`: that header is anyone's claim and is ignored",
  },
  MEDIA_WORKERS: {
    schema: z.coerce.number().int().min(1).max(64),
    default: '1',
    about: 'How many uploads are turned into renditions at once',
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
  LOG_LEVEL: {
    schema: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'warn',
    about: 'How much the log on standard error tells; `info` adds a line a request',
  },
} as const satisfies Record<string, Setting>;

export interface Config {
  port: number;
  host: string;
  origin: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  mediaOrigin: string;
  demo: boolean;
  timeZone: string;
  trustProxy: boolean;
  mediaWorkers: number;
  stores: { android: string; ios: string };
  follow: { instagram: string; youtube: string; x: string };
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
  return {
    port: read('PORT'),
    host: read('HOST'),
    origin: read('ORIGIN'),
    dataDir: resolve(read('DATA_DIR')),
    databaseUrl: read('DATABASE_URL'),
    mediaOrigin: read('MEDIA_ORIGIN') ?? '',
    demo: read('JHALAK_DEMO'),
    timeZone: read('TIME_ZONE'),
    trustProxy: read('TRUST_PROXY'),
    mediaWorkers: read('MEDIA_WORKERS'),
    stores: { android: read('STORE_ANDROID'), ios: read('STORE_IOS') },
    follow: { instagram: read('FOLLOW_INSTAGRAM'), youtube: read('FOLLOW_YOUTUBE'), x: read('FOLLOW_X') },
    logLevel: read('LOG_LEVEL'),
  };
}
