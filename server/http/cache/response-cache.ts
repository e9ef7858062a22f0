import { createHash } from 'node:crypto';
import { type Encoding, encodeResponse } from './response-encoding.ts';

/** A response that is the same for everybody, before compression. */
export interface RenderedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** A response as it was sent: names and values of all headers except `x-request-id`, and the encoded body. */
export interface SentResponse {
  headers: string[];
  /** The headers of a 304. */
  unchanged: string[];
  body: Buffer;
}

export interface CachedResponse extends RenderedResponse {
  /** A weak entity tag, since the encodings have the same one. */
  readonly etag: string;
  /** By encoding. */
  readonly sent: Map<Encoding, SentResponse>;
}

/** A response for `sendCached`, which may also live as long as the program. */
export function cachedOf(rendered: RenderedResponse): CachedResponse {
  const hash = createHash('sha256').update(rendered.body).digest('base64url').slice(0, 22);
  return { ...rendered, etag: `W/"${hash}"`, sent: new Map() };
}

interface Entry {
  /** The last response with status 200. */
  response: CachedResponse | undefined;
  bytes: number;
  /** A time of `performance.now()`. */
  freshUntil: number;
  /** Until this time a page may be served while it is unavailable. */
  usableUntil: number;
  /** The response that is being rendered. */
  rendering: Promise<CachedResponse> | undefined;
  /** One request has been admitted to revalidate the expired response. */
  isRevalidating: boolean;
}

/** While one request revalidates an entry, others get the stale response for at most this many milliseconds. */
const staleWhileRevalidating = 1000;
/** Age up to which a page may be served while it is unavailable, in milliseconds. */
const staleIfUnavailable = 5 * 60_000;
/** Roughly the bytes of an entry besides its key and body. */
const overhead = 4096;

/**
 * Caches pages and lists that are the same for everybody, so that many concurrent requests render them once. When entries take
 * more than `maxBytes`, those that were rendered first are evicted. Only responses with status 200 are cached, and the page of all
 * unknown addresses.
 */
export function createResponseCache({ freshFor = 1000, maxBytes = 64 * 1024 * 1024 } = {}) {
  /** In the order in which the responses were rendered. */
  const entries = new Map<string, Entry>();
  let bytes = 0;
  /** How often content has changed. A response is not cached if content changed while it was rendered. */
  let changes = 0;

  const isFresh = ({ freshUntil }: Entry) => freshUntil > performance.now();

  function add(key: string, entry: Entry): Entry {
    // The compressed bodies together are smaller than the plain one.
    entry.bytes = overhead + 2 * (key.length + (entry.response?.body.length ?? 0));
    bytes += entry.bytes;
    entries.set(key, entry);
    return entry;
  }

  function evict(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function evictOld(): void {
    const now = performance.now();
    for (const [key, { usableUntil, rendering }] of entries) {
      if (bytes <= maxBytes && usableUntil > now) break;
      if (!rendering) evict(key);
    }
  }

  async function renderAgain(
    key: string,
    entry: Entry,
    render: () => Promise<RenderedResponse>,
    { isPage, isUnknown }: { isPage: boolean; isUnknown: boolean },
  ): Promise<CachedResponse> {
    const before = changes;
    try {
      const response = cachedOf(await Promise.resolve().then(render));
      // The stale response is served until the new one can be sent at once in the same encodings.
      const isKept = response.status === 200 || (isUnknown && response.status === 404);
      const encodings = isKept ? [...(entry.response?.sent.keys() ?? [])] : [];
      await Promise.all(encodings.map((encoding) => encodeResponse(response, encoding)));
      if (changes !== before) return response;
      const now = performance.now();
      if (response.status === 503 && isPage && entry.response && entry.usableUntil > now) {
        entry.freshUntil = now + freshFor;
        return entry.response;
      }
      if (response.status !== 503) evict(key);
      if (isKept) {
        entry.response = response;
        entry.freshUntil = now + freshFor;
        entry.usableUntil = now + (isPage ? staleIfUnavailable : freshFor + staleWhileRevalidating);
        add(key, entry);
      }
      return response;
    } finally {
      // After a change another rendering may be in progress.
      if (changes === before) {
        entry.rendering = undefined;
        entry.isRevalidating = false;
      }
      evictOld();
    }
  }

  return {
    /** Whether `get` returns without rendering again. */
    has(key: string): boolean {
      const entry = entries.get(key);
      return entry !== undefined && (entry.rendering !== undefined || isFresh(entry));
    },
    /** Returns a response that can be sent at once: a fresh one, or a stale one while another request revalidates it. */
    find(key: string): CachedResponse | undefined {
      const entry = entries.get(key);
      if (!entry || isFresh(entry)) return entry?.response;
      const isUsable = entry.freshUntil + staleWhileRevalidating > performance.now();
      return isUsable && entry.isRevalidating ? entry.response : undefined;
    },
    /** The caller, who found nothing, will call `get`: from now on `find` returns the stale response. */
    revalidate(key: string): void {
      const entry = entries.get(key);
      if (entry && !isFresh(entry)) entry.isRevalidating = true;
    },
    /** Returns the fresh response, or renders a new one. A page that is unavailable (503) is served from its last response. */
    async get(
      key: string,
      render: () => Promise<RenderedResponse>,
      { isPage = false, isUnknown = false } = {},
    ): Promise<CachedResponse> {
      const entry = entries.get(key) ?? add(key, newEntry());
      if (entry.response && isFresh(entry)) return entry.response;
      entry.rendering ??= renderAgain(key, entry, render, { isPage, isUnknown });
      return await entry.rendering;
    },
    /** Content has changed: everything is rendered again, and pages that were rendered before are served during an outage only. */
    expireAll(): void {
      changes += 1;
      for (const entry of entries.values()) Object.assign(entry, expired);
    },
    /** Evicts all responses, since some content must no longer be shown to anybody. */
    evictAll(): void {
      changes += 1;
      entries.clear();
      bytes = 0;
    },
  };
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

const expired = {
  freshUntil: Number.NEGATIVE_INFINITY,
  rendering: undefined,
  isRevalidating: false,
} satisfies Partial<Entry>;

const newEntry = (): Entry => ({ ...expired, response: undefined, bytes: 0, usableUntil: 0 });
