import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figureIn } from '#testing/metric-value.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import { call, startTestServer, type TestServer } from '#testing/servers/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const good = { firstFrameMs: 240, stalls: 2, stalledMs: 1500, watchedMs: 9000, rendition: 540 };
const tell = (figures: unknown) =>
  server.inject({ method: 'POST', url: '/api/playback', payload: { figures } as object });
const figure = async (name: string, rendition: number) =>
  figureIn(await server.metrics.text(), `jhalak_playback_${name}`, { rendition: String(rendition) });

describe('playback figures (issue: quality of experience)', () => {
  it('are counted in histograms by rendition, without a login', async () => {
    const never = { ...good, firstFrameMs: null, stalls: 0, stalledMs: 0, watchedMs: 0 };
    expect(
      await call(server, {
        method: 'POST',
        url: '/api/playback',
        payload: { figures: [good, { ...good, firstFrameMs: 760 }, never] },
      }),
    ).toEqual({ status: 'ok' });
    expect(await figure('first_frame_seconds_sum', 540)).toBeCloseTo(1, 6);
    expect(await figure('first_frame_seconds_count', 540)).toBe(2);
    expect(await figure('never_started_total', 540)).toBe(1);
    expect(await figure('stalls_sum', 540)).toBe(4);
    expect(await figure('stalled_seconds_total', 540)).toBe(3);
    expect(await figure('watched_seconds_total', 540)).toBe(18);
    expect(await figure('watched_seconds_total', 720)).toBeUndefined();
  });

  it('are not stored in the database', async () => {
    const before = await dumpOf(server.db);
    expect((await tell([good])).statusCode).toBe(200);
    expect(await dumpOf(server.db)).toBe(before);
  });

  it.each<[what: string, figures: unknown]>([
    ['no list', undefined],
    ['an empty list', []],
    ['21 of them', Array.from({ length: 21 }, () => good)],
    ['a frame before it was asked for', [{ ...good, firstFrameMs: -1 }]],
    ['a frame after two minutes', [{ ...good, firstFrameMs: 120_001 }]],
    ['half a millisecond', [{ ...good, firstFrameMs: 0.5 }]],
    ['no word of the first frame', [{ ...good, firstFrameMs: undefined }]],
    ['1,001 stalls', [{ ...good, stalls: 1001 }]],
    ['an hour and more of standing still', [{ ...good, stalledMs: 3_600_001 }]],
    ['more than a day watched', [{ ...good, watchedMs: 86_400_001 }]],
    ['a rendition that there is not', [{ ...good, rendition: 480 }]],
    ['a rendition by name', [{ ...good, rendition: 'x"} 1\nfigure' }]],
  ])('%s is refused and not counted', async (_what, figures) => {
    const text = async () =>
      (await server.metrics.text()).split('\n').filter((line) => line.startsWith('jhalak_playback'));
    const before = await text();
    expect((await tell(figures)).json()).toMatchObject({ code: 'invalid_input' });
    expect(await text()).toEqual(before);
  });

  it('accepts the limits of each range, and the file without renditions', async () => {
    const ends = [
      { firstFrameMs: 0, stalls: 0, stalledMs: 0, watchedMs: 0, rendition: 0 },
      { firstFrameMs: 120_000, stalls: 1000, stalledMs: 3_600_000, watchedMs: 86_400_000, rendition: 0 },
    ];
    expect((await tell(ends)).statusCode).toBe(200);
    expect(await figure('watched_seconds_total', 0)).toBe(86_400);
  });
});
