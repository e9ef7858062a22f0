import { describe, expect, it } from 'vitest';
import { createStaleIfError } from './stale-if-error.ts';

const page =
  (text: string, status = 200) =>
  async () => ({ status, headers: {}, body: Buffer.from(text) });

describe('a page that is unavailable', () => {
  it('is served from the last good copy until it can be rendered again', async () => {
    const { orStale } = createStaleIfError(10);
    const shown = async (render: ReturnType<typeof page>) => {
      const { status, body } = await orStale('/', render);
      return [status, body.toString()];
    };
    expect(await shown(page('sorry', 503))).toEqual([503, 'sorry']);
    expect(await shown(page('first'))).toEqual([200, 'first']);
    expect(await shown(page('sorry', 503))).toEqual([200, 'first']);
    expect(await shown(page('second'))).toEqual([200, 'second']);
    expect(await shown(page('sorry', 503))).toEqual([200, 'second']);
  });

  it('is not replaced by a copy after a 404, nor by a copy of another address', async () => {
    const { orStale } = createStaleIfError(10);
    await orStale('/', page('first'));
    expect((await orStale('/', page('gone', 404))).status).toBe(404);
    expect((await orStale('/', page('sorry', 503))).status).toBe(503);
    expect((await orStale('/else', page('sorry', 503))).status).toBe(503);
  });

  it('is not served from a copy that was evicted, nor from one that was being rendered during the eviction', async () => {
    const { orStale, evictAll } = createStaleIfError(10);
    await orStale('/', page('about somebody'));
    await orStale('/else', async () => {
      evictAll();
      return await page('about somebody, too')();
    });
    for (const path of ['/', '/else']) expect((await orStale(path, page('sorry', 503))).status).toBe(503);
    await orStale('/', page('about somebody else'));
    expect((await orStale('/', page('sorry', 503))).status).toBe(200);
  });

  it('keeps at most the maximum number of copies, the newest ones', async () => {
    const { orStale } = createStaleIfError(2);
    for (const key of ['a', 'b', 'a', 'c']) await orStale(key, page(key));
    const statuses = await Promise.all(['a', 'b', 'c'].map((key) => orStale(key, page('sorry', 503))));
    expect(statuses.map(({ status }) => status)).toEqual([200, 503, 200]);
  });
});
