import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { openObjects, type StoredObject } from './objects.ts';
import { type Credentials, refusedBy } from './signature.ts';

/*
 * An S3-compatible store with one bucket. It checks every signature and checksum, stores
 * complete objects only, and can fail as real stores do. In a process of its own:
 *
 *     S3_PORT=9000 S3_FOLDER=./bucket node testing/servers/s3/server.ts
 *
 * `PUT /_faults` with a Fault as JSON adds a fault, `DELETE /_faults` removes it.
 */

/** A fault; without further conditions it applies to every request. */
export interface Fault {
  /**
   * Returns `status`; cuts the connection (`down`); never responds (`silent`); cuts the body after half (`cut`), or declares half
   * its length (`short`).
   */
  kind: 'status' | 'down' | 'silent' | 'cut' | 'short';
  status?: number;
  methods?: string[];
  /** Only for keys with this prefix. */
  prefix?: string;
  /** Only this many times. */
  times?: number;
}

export interface S3Server {
  /** The settings for the program. */
  settings: Record<string, string>;
  origin: string;
  objects: Awaited<ReturnType<typeof openObjects>>;
  /** The requests it received, as `METHOD key`. */
  asked: string[];
  /** The number of responses that are still being sent. */
  open(): number;
  fail(fault: Fault): void;
  heal(): void;
  close(): Promise<void>;
}

const bucket = 'jhalak-test';
const credentials: Credentials = {
  accessKey: 'JHALAKTESTKEY',
  secretKey: 'a secret that is no secret',
  region: 'ap-south-1',
};

/** Starts it on a free port, or the given one; `pageSize` is the maximum number of objects of a list. */
export async function startS3Server({
  folder,
  port = 0,
  pageSize = 1000,
}: {
  folder?: string;
  port?: number;
  pageSize?: number;
} = {}): Promise<S3Server> {
  const own = folder === undefined ? await mkdtemp(join(tmpdir(), 'jhalak-s3-')) : undefined;
  const objects = await openObjects(folder ?? own ?? '');
  const asked: string[] = [];
  let fault: Fault | undefined;

  /** The fault that applies to this request, if any. */
  function meets(method: string, key: string): Fault | undefined {
    if (!fault || !(fault.methods ?? [method]).includes(method) || !key.startsWith(fault.prefix ?? ''))
      return undefined;
    const met = fault;
    if (met.times !== undefined) fault = met.times > 1 ? { ...met, times: met.times - 1 } : undefined;
    return met;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://s3');
    const method = request.method ?? 'GET';
    if (url.pathname === '/_faults') {
      fault = method === 'PUT' ? ((await json(request)) as Fault) : undefined;
      response.writeHead(204).end();
      return;
    }
    const [, name, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    asked.push(`${method} ${key}`);
    const met = meets(method, key);
    if (met?.kind === 'down') return void request.socket.destroy();
    if (met?.kind === 'silent') return void request.resume();
    if (met?.kind === 'status') return refuse(request, response, met.status ?? 503, 'SlowDown');
    const refused = refusedBy(credentials, request, new Date());
    if (refused) return refuse(request, response, 403, refused);
    if (name !== bucket) return refuse(request, response, 404, 'NoSuchBucket');
    if (method === 'PUT' && key) return await put(key, request, response);
    if (method === 'GET' && !key) return send(response, await listing(url.searchParams), met);
    if (method === 'DELETE' && key) {
      await objects.remove(key);
      response.writeHead(204).end();
      return;
    }
    if ((method !== 'GET' && method !== 'HEAD') || !key)
      return refuse(request, response, 405, 'MethodNotAllowed');
    const object = await objects.find(key);
    if (!object) return refuse(request, response, 404, 'NoSuchKey');
    await get(object, url.searchParams, request, response, met);
  }

  async function put(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    const size = Number(headers['content-length'] ?? Number.NaN);
    if (Number.isNaN(size)) return refuse(request, response, 411, 'MissingContentLength');
    const head = {
      type: headers['content-type'] ?? 'binary/octet-stream',
      cacheControl: headers['cache-control'],
    };
    const etag = await objects.put(key, head, request, size, String(headers['x-amz-content-sha256']));
    if (!etag) return refuse(request, response, 400, 'XAmzContentSHA256Mismatch');
    response.writeHead(200, { etag }).end();
  }

  async function listing(query: URLSearchParams): Promise<string> {
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString();
    const keys = (await objects.keys(query.get('prefix') ?? '')).filter((key) => !after || key > after);
    const page = keys.slice(0, Math.min(pageSize, Number(query.get('max-keys') ?? pageSize)));
    const found = (await Promise.all(page.map((key) => objects.find(key)))).filter(
      (one) => one !== undefined,
    );
    const next = keys.length > page.length ? Buffer.from(page.at(-1) ?? '').toString('base64url') : undefined;
    const contents = found.map(
      ({ key, size, modifiedAt, etag }) =>
        `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${size}</Size></Contents>`,
    );
    return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><KeyCount>${found.length}</KeyCount><IsTruncated>${next !== undefined}</IsTruncated>${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}${contents.join('')}</ListBucketResult>`;
  }

  let answering = 0;
  const server = createServer((request, response) => {
    answering += 1;
    response.once('close', () => {
      answering -= 1;
    });
    answer(request, response).catch((error: unknown) => {
      // The client has disconnected, or this server is broken; a test that did not expect that sees its own call fail.
      response.destroy(error as Error);
    });
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    objects,
    asked,
    open: () => answering,
    settings: s3SettingsFor(origin),
    fail: (one) => {
      fault = one;
    },
    heal: () => {
      fault = undefined;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      if (own) await rm(own, { recursive: true, force: true });
    },
  };
}

/** The settings for a program that uses such a store. */
export function s3SettingsFor(origin: string): Record<string, string> {
  return {
    STORAGE: 's3',
    S3_ENDPOINT: origin,
    S3_BUCKET: bucket,
    S3_REGION: credentials.region,
    S3_ACCESS_KEY: credentials.accessKey,
    S3_SECRET_KEY: credentials.secretKey,
  };
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume();
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(
    request.method === 'HEAD' ? undefined : `<?xml version="1.0"?>\n<Error><Code>${code}</Code></Error>`,
  );
}

function send(response: ServerResponse, text: string, met: Fault | undefined): void {
  const bytes = Buffer.from(text);
  const half = bytes.subarray(0, bytes.length >> 1);
  response.writeHead(200, {
    'content-type': 'application/xml',
    'content-length': met?.kind === 'short' ? half.length : bytes.length,
  });
  if (met?.kind === 'cut') response.write(half, () => response.destroy());
  else response.end(met?.kind === 'short' ? half : bytes);
}

async function get(
  object: StoredObject,
  query: URLSearchParams,
  { headers, method }: IncomingMessage,
  response: ServerResponse,
  met: Fault | undefined,
): Promise<void> {
  const about = {
    etag: object.etag,
    'last-modified': object.modifiedAt.toUTCString(),
    'accept-ranges': 'bytes',
    ...(object.cacheControl ? { 'cache-control': object.cacheControl } : {}),
  };
  if (headers['if-none-match'] === object.etag) return void response.writeHead(304, about).end();
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const isPart = first !== undefined && (first !== '' || last !== '');
  const from = !isPart ? 0 : first === '' ? Math.max(0, object.size - Number(last)) : Number(first);
  const to = isPart && first !== '' && last ? Math.min(object.size, Number(last) + 1) : object.size;
  if (isPart && (from >= object.size || from >= to))
    return void response.writeHead(416, { 'content-range': `bytes */${object.size}` }).end();
  const length = to - from;
  const disposition = query.get('response-content-disposition');
  response.writeHead(isPart ? 206 : 200, {
    ...about,
    'content-type': object.type,
    'content-length': met?.kind === 'short' ? length >> 1 : length,
    ...(isPart ? { 'content-range': `bytes ${from}-${to - 1}/${object.size}` } : {}),
    ...(disposition ? { 'content-disposition': disposition } : {}),
  });
  if (method === 'HEAD' || length === 0) return void response.end();
  const closed = new Promise((resolve) => response.once('close', resolve));
  const sent = met ? from + (length >> 1) : to;
  if (sent > from)
    for await (const chunk of object.read(from, sent))
      if (!response.write(chunk))
        await Promise.race([new Promise((drained) => response.once('drain', drained)), closed]);
  if (met?.kind === 'cut') response.destroy();
  else response.end();
}

if (import.meta.main) {
  const { S3_PORT: port, S3_FOLDER: folder } = process.env;
  const server = await startS3Server({ port: Number(port ?? 0), ...(folder ? { folder } : {}) });
  process.stdout.write(`S3 at ${server.origin}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.close());
}
