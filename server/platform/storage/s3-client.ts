import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { storageUnavailable } from '../refusal.ts';
import { readListing } from './s3-listing.ts';

/** A bucket of an S3-compatible store, and our credentials. */
export interface S3Settings {
  /** Scheme and host of the store, as this server reaches it. */
  endpoint: string;
  /** Scheme and host of the store, as browsers reach it. */
  publicEndpoint: string;
  bucket: string;
  region: string;
  accessKey: string;
  secretKey: string;
  /** `<endpoint>/<bucket>/<key>`, and not `<bucket>.<endpoint>/<key>`. */
  pathStyle: boolean;
  /** Timeout for the store, in seconds. */
  timeoutSeconds: number;
}

/** A response whose body has not been read yet. */
export interface S3Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Readable;
}

export interface S3Client {
  /** Uploads a local file; the store verifies the bytes against `sha256`. */
  put(key: string, file: { path: string; bytes: number; sha256: Buffer }, headers?: Headers): Promise<void>;
  /** Returns any response below 500, except failures of authentication. */
  read(method: 'GET' | 'HEAD', key: string, headers?: Headers, signal?: AbortSignal): Promise<S3Answer>;
  /** Passes the object to `take`, again from its beginning after an interruption; false if there is none. */
  take(key: string, take: (body: Readable) => Promise<void>): Promise<boolean>;
  delete(key: string): Promise<void>;
  list(prefix: string): AsyncGenerator<{ key: string; size: number; modifiedAt: Date }>;
  /** Tests access to the bucket; returns the status, or throws if the store does not answer. */
  probe(): Promise<number>;
  /** A signed URL of the object, valid for `seconds` from `at` on. */
  signedAddress(key: string, at: Date, seconds: number, parameters?: Record<string, string>): Promise<string>;
  /** Scheme and host of signed URLs. */
  publicOrigin: string;
  close(): Promise<void>;
}

type Headers = Record<string, string>;

const triesAtMost = 3;
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** The store refused a request or failed. */
class S3Failure extends Error {
  override name = 'S3Failure';
  readonly status: number;
  constructor(what: string, status: number, code = '') {
    super(`${what}: the store answered ${status} ${code}`.trim());
    this.status = status;
  }
}

/** Whether a retry may help: after overload or an error of the store, but not after a refusal. */
function mayPass(error: unknown): boolean {
  return !(error instanceof S3Failure) || error.status === 429 || error.status >= 500;
}

/** Statuses that describe the object, and not a failure. */
const answers = new Set([200, 204, 206, 304, 404, 416]);

/**
 * A client for one bucket. All calls can be repeated safely, so transient failures are retried, up to three attempts and no
 * longer than the timeout; then the Refusal `unavailable` is thrown.
 */
export function createS3Client(settings: S3Settings): S3Client {
  const wait = settings.timeoutSeconds * 1000;
  const agent = new Agent({
    connect: { timeout: Math.min(wait, 5000) },
    headersTimeout: wait,
    bodyTimeout: wait,
  });
  const signingKeys = new Map<string, ArrayBuffer>();

  function addressOf(endpoint: string, key: string): URL {
    const address = new URL(endpoint);
    const path = address.pathname.replace(/\/$/, '');
    if (settings.pathStyle) address.pathname = `${path}/${settings.bucket}/${key}`;
    else {
      address.hostname = `${settings.bucket}.${address.hostname}`;
      address.pathname = `${path}/${key}`;
    }
    return address;
  }

  const signed = (
    method: string,
    url: URL,
    how: { headers?: Headers; signQuery?: true; datetime?: string },
  ) =>
    new AwsV4Signer({
      service: 's3',
      region: settings.region,
      accessKeyId: settings.accessKey,
      secretAccessKey: settings.secretKey,
      cache: signingKeys,
      method,
      url: url.href,
      ...how,
    }).sign();

  /** Sends one request; throws for any status that is not about the object. */
  async function sendSigned(
    method: Dispatcher.HttpMethod,
    key: string,
    {
      query = {},
      headers = {},
      sha256 = empty,
      body,
      signal,
    }: {
      query?: Record<string, string>;
      headers?: Headers;
      sha256?: string;
      body?: Readable;
      signal?: AbortSignal | undefined;
    } = {},
  ): Promise<S3Answer> {
    const url = addressOf(settings.endpoint, key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const how = { headers: { ...headers, 'x-amz-content-sha256': sha256 } };
    const { headers: all } = await signed(method, url, how);
    const answer = await request(url, {
      method,
      headers: Object.fromEntries(all),
      dispatcher: agent,
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
    });
    const { statusCode: status } = answer;
    if (answers.has(status)) return { status, headers: answer.headers, body: answer.body };
    const code = /<Code>(\w+)<\/Code>/.exec(await answer.body.text())?.[1];
    throw new S3Failure(`${method} ${url.pathname}`, status, code);
  }

  async function withRetries<T>(run: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const begun = performance.now();
    for (let tries = 1; ; tries += 1) {
      try {
        return await run();
      } catch (error) {
        signal?.throwIfAborted();
        if (!mayPass(error) || tries === triesAtMost || performance.now() - begun > wait)
          throw storageUnavailable(error);
        await sleep(100 * tries ** 2);
      }
    }
  }

  return {
    put: (key, { path, bytes, sha256 }, headers = {}) =>
      withRetries(async () => {
        const body = createReadStream(path);
        try {
          const answer = await sendSigned('PUT', key, {
            headers: { ...headers, 'content-length': String(bytes) },
            sha256: sha256.toString('hex'),
            body,
          });
          answer.body.resume();
          if (answer.status !== 200) throw new S3Failure(`PUT ${key}`, answer.status);
        } finally {
          body.destroy();
        }
      }),
    read: (method, key, headers, signal) =>
      withRetries(() => sendSigned(method, key, { headers: headers ?? {}, signal }), signal),
    take: (key, take) =>
      withRetries(async () => {
        const { status, body } = await sendSigned('GET', key);
        if (status === 404) {
          body.resume();
          return false;
        }
        await take(body);
        return true;
      }),
    delete: (key) =>
      withRetries(async () => {
        (await sendSigned('DELETE', key)).body.resume();
      }),
    async *list(prefix) {
      let token: string | undefined;
      do {
        const query = { 'list-type': '2', prefix, ...(token ? { 'continuation-token': token } : {}) };
        const page = await withRetries(async () => {
          const { status, body } = await sendSigned('GET', '', { query });
          const text = await textOf(body);
          if (status !== 200) throw new S3Failure(`listing ${prefix}`, status);
          return readListing(text);
        });
        yield* page.objects;
        token = page.next;
      } while (token);
    },
    async probe() {
      try {
        const { status, body } = await sendSigned('GET', '', {
          query: { 'list-type': '2', 'max-keys': '1' },
        });
        body.resume();
        return status;
      } catch (error) {
        if (mayPass(error)) throw error;
        return (error as S3Failure).status;
      }
    },
    async signedAddress(key, at, seconds, parameters = {}) {
      const url = addressOf(settings.publicEndpoint, key);
      for (const [name, value] of Object.entries({ ...parameters, 'X-Amz-Expires': String(seconds) }))
        url.searchParams.set(name, value);
      const datetime = at.toISOString().replace(/[:-]|\.\d{3}/g, '');
      const { url: address } = await signed('GET', url, { signQuery: true, datetime });
      return address.href;
    },
    publicOrigin: addressOf(settings.publicEndpoint, '').origin,
    close: () => agent.destroy(),
  };
}

async function textOf(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
