import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guardTo, type Site, startSite } from '#testing/servers/internet.ts';
import type { Extractor } from './extractor.ts';
import type { Guard } from './guarded-fetch.ts';
import { readLink } from './link.ts';
import { createExtractor } from './sites.ts';

let site: Site;
let guard: Guard;
let extract: Extractor;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
beforeAll(async () => {
  site = await startSite((request, response) => answer(request, response));
  guard = guardTo(site);
  extract = createExtractor(guard.fetch);
});
afterAll(async () => {
  await guard.close();
  await site.close();
});
beforeEach(() => {
  site.requests.length = 0;
});

function find(address: string) {
  const link = readLink(address);
  if (!link) throw new Error('no link');
  return extract(link, AbortSignal.timeout(20_000));
}

describe('YouTube', () => {
  const media = 'https://r1---sn.googlevideo.com/videoplayback?itag=18&n=1';
  const file = (itag: number, more: object) => ({
    itag,
    mimeType: 'video/mp4; codecs="avc1.42001E, mp4a.40.2"',
    bitrate: 500_000,
    quality: 'medium',
    qualityLabel: '360p',
    approxDurationMs: '19000',
    audioQuality: 'AUDIO_QUALITY_LOW',
    ...more,
  });
  /** The response to each YouTube client. */
  const plays = (answers: (player: string) => object) => {
    answer = async (request, response) => {
      if (!request.url?.startsWith('/youtubei/v1/player')) return response.writeHead(404).end();
      let body = '';
      for await (const chunk of request) body += chunk;
      const { videoId, context } = JSON.parse(body);
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          responseContext: {},
          videoDetails: { videoId, title: 'A real title', lengthSeconds: '19', isLiveContent: false },
          ...answers(context.client.clientName),
        }),
      );
    };
  };
  const open = (...formats: object[]) => ({
    playabilityStatus: { status: 'OK' },
    streamingData: { expiresInSeconds: '21540', formats, adaptiveFormats: [] },
  });

  it('uses the largest file with picture and sound, and requests only its own host', async () => {
    plays(() =>
      open(
        file(18, { url: `${media}&small`, width: 360, height: 640 }),
        file(22, { url: media, width: 720, height: 1280 }),
      ),
    );
    expect(await find('https://youtu.be/dQw4w9WgXcQ')).toEqual({ media, title: 'A real title', seconds: 19 });
    expect(new Set(site.requests.map((one) => one.split('/')[0]))).toEqual(new Set(['www.youtube.com']));
  });

  it('is requested as another client if the first one gets no plain address', async () => {
    const clients: string[] = [];
    plays((player) => {
      clients.push(player);
      const form = { width: 360, height: 640 };
      return clients.length === 1
        ? open(file(18, { signatureCipher: 's=x&sp=sig&url=https%3A%2F%2Fx', ...form }))
        : open(file(18, { url: media, ...form }));
    });
    expect((await find('https://youtu.be/dQw4w9WgXcQ')).media).toBe(media);
    expect(new Set(clients).size).toBe(2);
  });

  it.each([
    ['a private video', { playabilityStatus: { status: 'LOGIN_REQUIRED', reason: 'This video is private' } }],
    ['no such video', { playabilityStatus: { status: 'ERROR', reason: 'Video unavailable' } }],
    ['nothing that we know', {}],
  ])('that answers %s gives no file', async (_what, response) => {
    plays(() => response);
    await expect(find('https://youtu.be/dQw4w9WgXcQ')).rejects.toThrow();
  });

  it('that does not respond gives no file', async () => {
    answer = (_request, response) => response.writeHead(500).end();
    await expect(find('https://youtu.be/dQw4w9WgXcQ')).rejects.toThrow();
  });
});

describe('Instagram', () => {
  const media = 'https://scontent.cdninstagram.com/v/clip.mp4?a=1&b=2';
  const address = 'https://www.instagram.com/somebody/reel/C1a-B2_c3D4/?igsh=x';
  const pages = (responses: Record<string, string>) => {
    answer = (request, response) => {
      const page = responses[request.url ?? ''];
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page);
    };
  };

  it('provides the file on its public page', async () => {
    pages({
      '/reel/C1a-B2_c3D4/': `<html><head><META content="https://scontent.cdninstagram.com/v/clip.mp4?a=1&amp;b=2" property='og:video'>
        <meta property="og:title" content="Somebody&#39;s &quot;reel&quot;"></head>`,
    });
    expect(await find(address)).toEqual({ media, title: `Somebody's "reel"` });
  });

  it('or on the page for embedding', async () => {
    pages({
      '/reel/C1a-B2_c3D4/': '<title>Log in</title>',
      '/reel/C1a-B2_c3D4/embed/captioned/': String.raw`<script>s.handle({"x":"{\"video_url\":\"https:\\\/\\\/scontent.cdninstagram.com\\\/v\\\/clip.mp4?a=1\\u0026b=2\",\"y\":1}"})</script>`,
    });
    expect((await find(address)).media).toBe(media);
  });

  it.each<[string, Record<string, string>]>([
    ['a page without a video', { '/reel/C1a-B2_c3D4/': '<p>', '/reel/C1a-B2_c3D4/embed/captioned/': '<p>' }],
    ['no page', {}],
  ])('that has %s gives no file', async (_what, responses) => {
    pages(responses);
    await expect(find(address)).rejects.toThrow('Instagram');
  });
});
