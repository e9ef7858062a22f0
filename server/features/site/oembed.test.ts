import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { publishReel } from '#testing/fixtures/reels.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

const origin = 'https://jhalak.example';
let server: TestServer;
let asha: Person;
let reel: string;
let photo: string;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: origin });
  asha = await signUpSomebody(server);
  reel = await publishReel(server, asha, { caption: 'The "sea" & <me>' });
  photo = await publishPicture(server.db, server.dataDir, asha.id, 'Of the sea', new Date());
});
afterAll(() => server.close());

const ask = (url: string, more: Record<string, string> = {}) =>
  server.inject({ url: '/api/oembed', query: { url, ...more } });
const answer = async (path: string, more: Record<string, string> = {}) => {
  const { statusCode, body } = await ask(`${origin}${path}`, more);
  expect(statusCode, body).toBe(200);
  return JSON.parse(body);
};

describe('GET /api/oembed (decisions §3)', () => {
  it('describes a reel as a video in a frame, with its picture, title and author', async () => {
    const { data } = await call(server, { url: `/api/reel/getReel/${reel}` });
    const [width, height] = [data.width, data.height + 44];
    expect(await answer(`/videoplayer?reel=${reel}`, { format: 'json' })).toEqual({
      status: 'ok',
      type: 'video',
      version: '1.0',
      title: 'The "sea" & <me>',
      author_name: asha.username,
      author_url: `${origin}/user/${asha.id}`,
      provider_name: 'Jhalak',
      provider_url: origin,
      width,
      height,
      html: `<iframe src="${origin}/embed/${reel}" width="${width}" height="${height}" title="The &#34;sea&#34; &#38; &#60;me&#62;" style="border:0" loading="lazy" allowfullscreen></iframe>`,
      thumbnail_url: `${origin}${data.card.url}`,
      thumbnail_width: data.card.width,
      thumbnail_height: data.card.height,
    });
  });

  it('describes a photo as a picture', async () => {
    const { data } = await call(server, { url: `/api/post/getPost/${photo}` });
    expect(await answer(`/post/${photo}`)).toMatchObject({
      type: 'photo',
      title: 'Of the sea',
      author_name: asha.username,
      url: `${origin}${data.imageurl}`,
      width: data.width,
      height: data.height,
    });
  });

  it.each([
    ['the address of the page for frames', () => `/embed/${reel}`],
    ['another case of the path', () => `/VideoPlayer/?utm_source=x&reel=${reel}#top`],
  ])('takes %s', async (_what, path) => {
    expect((await answer(path())).html).toContain(`/embed/${reel}"`);
  });

  it('shows a reel in the language of the address', async () => {
    expect((await answer(`/videoplayer?reel=${reel}&lang=hi`)).html).toContain(`/embed/${reel}?lang=hi"`);
    expect((await answer(`/videoplayer?reel=${reel}&lang="`)).html).toContain(`/embed/${reel}"`);
  });

  it.each([
    ['120', '5000'],
    ['5000', '120'],
    ['200', '300'],
    ['200', '45'],
  ])('answers nothing larger than %s × %s, in the proportions of the thing', async (maxwidth, maxheight) => {
    const isSmall = ({ width, height }: { width: number; height: number }) =>
      width <= Number(maxwidth) && height <= Number(maxheight);
    const framed = await answer(`/videoplayer?reel=${reel}`, { maxwidth, maxheight });
    expect(framed).toSatisfy(isSmall);
    expect(framed.html).toContain(`width="${framed.width}" height="${framed.height}"`);
    if (framed.thumbnail_url)
      expect({ width: framed.thumbnail_width, height: framed.thumbnail_height }).toSatisfy(isSmall);
    const picture = await answer(`/post/${photo}`, { maxwidth, maxheight });
    expect(picture).toSatisfy(isSmall);
    const { rawPayload } = await server.inject({ url: picture.url.slice(origin.length) });
    const { width = 0, height = 0 } = await sharp(rawPayload).metadata();
    expect(Math.abs(picture.width - (picture.height * width) / height)).toBeLessThanOrEqual(2);
  });

  it('names a reel without a frame where its video and the line below it have no room', async () => {
    const named = await answer(`/videoplayer?reel=${reel}`, { maxheight: '44' });
    expect(named).toMatchObject({ type: 'link', title: 'The "sea" & <me>', author_name: asha.username });
    for (const name of ['html', 'width', 'height']) expect(named).not.toHaveProperty(name);
    expect(await answer(`/post/${photo}`, { maxwidth: '1', maxheight: '1' })).toMatchObject({
      ...{ type: 'photo', width: 1, height: 1 },
    });
  });

  it.each([
    ['another host', () => `https://elsewhere.example/post/${photo}`],
    ['another scheme', () => `http://jhalak.example/post/${photo}`],
    ['a host that begins like this one', () => `${origin}.evil.example/post/${photo}`],
    ['no address', () => 'nonsense'],
    ['a page without a reel', () => `${origin}/videoplayer`],
    ['another page', () => `${origin}/user/${asha.id}`],
    ['a path below the page', () => `${origin}/post/${photo}/more`],
    ['a reel as a photo', () => `${origin}/post/${reel}`],
    ['an unknown reel', () => `${origin}/embed/${crypto.randomUUID()}`],
  ])('is 404 for %s', async (_what, url) => {
    const { statusCode, body } = await ask(url());
    expect(statusCode).toBe(404);
    expect(JSON.parse(body).code).toBe('not_found');
  });

  it('is 404 at once for a deleted photo', async () => {
    const id = await publishPicture(server.db, server.dataDir, asha.id, 'Soon gone', new Date(), '#123');
    await answer(`/post/${id}`);
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: asha.headers });
    expect((await ask(`${origin}/post/${id}`)).statusCode).toBe(404);
  });

  it('is 501 for another format than JSON', async () => {
    const { statusCode, body } = await ask(`${origin}/post/${photo}`, { format: 'xml' });
    expect(statusCode).toBe(501);
    expect(JSON.parse(body).code).toBe('format_unknown');
  });

  it('without ORIGIN takes addresses of the host that it is asked at', async () => {
    const plain = await startTestServer({});
    const { id } = await signUpSomebody(plain);
    const own = await publishPicture(plain.db, plain.dataDir, id, 'At home', new Date());
    const at = (host: string) =>
      plain.inject({
        url: '/api/oembed',
        query: { url: `http://here.example:8080/post/${own}` },
        headers: { host },
      });
    expect((await at('here.example:8080')).json().author_url).toBe(`http://here.example:8080/user/${id}`);
    expect((await at('elsewhere.example')).statusCode).toBe(404);
    await plain.close();
  });
});
