import { isIP } from 'node:net';
import { z } from 'zod';
import { StartupError } from './platform/startup-error.ts';
import type { StorageSettings } from './platform/storage/open.ts';
import { baseAddress } from './web-addresses.ts';

/** Where files are stored, and how they are served; read by `readConfig`. */
export const storageSettings = {
  STORAGE: {
    schema: z.enum(['disk', 's3']),
    default: 'disk',
    about:
      '`disk`: uploads and media are stored in `DATA_DIR`; `s3`: in a bucket of an S3-compatible store, which several servers can share',
  },
  S3_ENDPOINT: {
    schema: baseAddress.optional(),
    default: '',
    about: 'Address of that store, such as `https://s3.ap-south-1.amazonaws.com`',
  },
  S3_PUBLIC_ENDPOINT: {
    schema: baseAddress.optional(),
    default: '',
    about: 'Address of that store for browsers, if it differs; used with `MEDIA_DELIVERY=redirect`',
  },
  S3_BUCKET: {
    schema: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: 'it is no name of a bucket' })
      .optional(),
    default: '',
    about: 'The bucket. It must exist, and nothing else may use it',
  },
  S3_REGION: { schema: z.string().min(1), default: 'us-east-1', about: 'Region of the bucket' },
  S3_ACCESS_KEY: { schema: z.string().min(1).optional(), default: '', about: 'Access key of that store' },
  S3_SECRET_KEY: {
    schema: z.string().min(1).optional(),
    default: '',
    about: 'Secret key of that store',
  },
  S3_PATH_STYLE: {
    schema: z.enum(['on', 'off']).transform((value) => value === 'on'),
    default: 'on',
    about: '`on`: the bucket is part of the path; `off`: it is part of the host name, as Amazon wants it',
  },
  S3_TIMEOUT_SECONDS: {
    schema: z.coerce.number().min(0.1).max(300),
    default: '10',
    about: 'Timeout of the store in seconds: how long it may be silent',
  },
  MEDIA_DELIVERY: {
    schema: z.enum(['proxy', 'redirect']),
    default: 'proxy',
    about:
      'With `STORAGE=s3`: `proxy`: the server sends the files of `/media` itself; `redirect`: it redirects to signed addresses of the store, valid for four minutes',
  },
} as const;

type Read = <N extends keyof typeof storageSettings>(
  name: N,
) => z.output<(typeof storageSettings)[N]['schema']>;

/** The combined settings of storage. Throws one sentence if they contradict each other. */
export function readStorage(
  read: Read,
  isSet: (name: keyof typeof storageSettings) => boolean,
): { storage: StorageSettings; mediaDelivery: 'proxy' | 'redirect' } {
  const mediaDelivery = read('MEDIA_DELIVERY');
  if (read('STORAGE') === 'disk') {
    const lost = (Object.keys(storageSettings) as (keyof typeof storageSettings)[]).filter(
      (name) => name.startsWith('S3_') && isSet(name),
    );
    if (lost.length > 0)
      throw new StartupError(
        `${list(lost)} set, but STORAGE is not s3: set STORAGE=s3, or leave ${lost.length > 1 ? 'them' : 'it'} out.`,
      );
    if (mediaDelivery === 'redirect')
      throw new StartupError(
        'MEDIA_DELIVERY=redirect needs STORAGE=s3: files on a disk are handed out by us.',
      );
    return { storage: { kind: 'disk' }, mediaDelivery };
  }
  const [address, bucket] = [read('S3_ENDPOINT'), read('S3_BUCKET')];
  const [accessKey, secretKey] = [read('S3_ACCESS_KEY'), read('S3_SECRET_KEY')];
  if (!address || !bucket || !accessKey || !secretKey) {
    const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'] as const;
    throw new StartupError(`STORAGE is s3, but ${list(needed.filter((name) => !isSet(name)))} not set.`);
  }
  const pathStyle = read('S3_PATH_STYLE');
  if (!pathStyle && isIP(new URL(address).hostname.replace(/^\[|\]$/g, '')) !== 0)
    throw new StartupError(
      'S3_PATH_STYLE is off, but S3_ENDPOINT is an IP address, which no bucket can be in front of: set S3_PATH_STYLE=on.',
    );
  const storage = {
    kind: 's3' as const,
    endpoint: address,
    publicEndpoint: read('S3_PUBLIC_ENDPOINT') ?? address,
    bucket,
    region: read('S3_REGION'),
    accessKey,
    secretKey,
    pathStyle,
    timeoutSeconds: read('S3_TIMEOUT_SECONDS'),
  };
  return { storage, mediaDelivery };
}

/** `A is`, `A and B are`, `A, B and C are`. */
function list(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? `${last} is` : `${names.slice(0, -1).join(', ')} and ${last} are`;
}
