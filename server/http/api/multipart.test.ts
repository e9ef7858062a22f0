import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '#testing/endpoints.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

const log: string[] = [];
/** Log lines of level warning and above. */
const complaints = () => log.filter((line) => JSON.parse(line).level >= 40);
let server: TestServer;
let origin: string;
let asha: Person;
let photo: Buffer;
beforeAll(async () => {
  server = await startTestServer({}, { log });
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  asha = await signUpSomebody(server);
  photo = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#a52' } })
    .jpeg()
    .toBuffer();
});
beforeEach(() => {
  log.length = 0;
});
afterAll(() => server.close());

/** Every endpoint that accepts a file. */
const calls = endpoints
  .filter(({ file }) => file)
  .map(({ method, path }) => ({ method, path: path.replace(':id', randomUUID()).replace(/:\w+/, 'en') }));
const form = 'multipart/form-data; boundary=XX';
const head = (name: string) =>
  `--XX\r\nContent-Disposition: form-data; name="${name}"; filename="a.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
const body = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const jpeg = Buffer.from('/9j/4AAQSkZJRg==', 'base64');

const broken: Record<string, { type: string; payload: Buffer }> = {
  'no boundary': { type: 'multipart/form-data', payload: body(head('file'), jpeg, '\r\n--XX--\r\n') },
  'an empty boundary': {
    type: 'multipart/form-data; boundary=',
    payload: body(head('file'), jpeg, '\r\n--XX--\r\n'),
  },
  'an empty boundary in quotes': {
    type: 'multipart/form-data; boundary=""',
    payload: body(head('file'), jpeg, '\r\n--XX--\r\n'),
  },
  'another boundary': {
    type: 'multipart/form-data; boundary=YY',
    payload: body(head('file'), jpeg, '\r\n--XX--\r\n'),
  },
  'an over-long boundary': {
    type: `multipart/form-data; boundary=${'y'.repeat(8000)}`,
    payload: body(head('file'), jpeg, '\r\n--XX--\r\n'),
  },
  'an empty body': { type: form, payload: body() },
  'a body of two line ends': { type: form, payload: body('\r\n\r\n') },
  garbage: { type: form, payload: body('\x00\xff garbage '.repeat(500)) },
  'a first boundary and nothing behind it': { type: form, payload: body('--XX') },
  'nothing but the end': { type: form, payload: body('--XX--\r\n') },
  'an end within the header of the file': { type: form, payload: body(head('file').slice(0, 60)) },
  'an end within the file': { type: form, payload: body(head('file'), jpeg) },
  'an end within a field after the file': {
    type: form,
    payload: body(head('file'), jpeg, '\r\n--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\nb'),
  },
  'a header without an end': { type: form, payload: body('--XX\r\n', 'X: y\r\n'.repeat(20_000)) },
  'a part without a name': {
    type: form,
    payload: body('--XX\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XX--\r\n'),
  },
  'a part named __proto__': { type: form, payload: body(head('__proto__'), jpeg, '\r\n--XX--\r\n') },
  'a field that is broken JSON': {
    type: form,
    payload: body(
      '--XX\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n{\r\n--XX--\r\n',
    ),
  },
};

it.each([
  ['without a type', ''],
  ['with an empty type', 'Content-Type: \r\n'],
  ['with the type of a video', 'Content-Type: video/mp4\r\n'],
  ['with a type that says nothing', 'Content-Type: application/octet-stream\r\n'],
])('a photo %s goes by its bytes', async (_what, type) => {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="share"';
  const payload = body(`--XX\r\n${disposition}\r\n${type}\r\n`, photo, '\r\n--XX--\r\n');
  for (const url of ['/api/s3Post/uploadPosts', '/api/s3Reel/uploadReels']) {
    const headers = { ...asha.headers, 'content-type': form };
    const { statusCode } = await server.inject({ method: 'POST', url, headers, payload });
    expect(statusCode).toBe(200);
  }
});

const inbox = () => readdir(join(server.dataDir, 'inbox'));

describe.each(calls)('$method $path, with a form', ({ method, path }) => {
  it.each(Object.entries(broken))('with %s is 400 with one sentence', async (_what, { type, payload }) => {
    const response = await server.inject({
      method,
      url: path,
      headers: { ...asha.headers, 'content-type': type },
      payload,
    });
    const { error, code } = response.json();
    expect({ status: response.statusCode, code }).toEqual({
      status: 400,
      code: expect.stringMatching(/^(invalid_input|file_missing|upload_interrupted)$/),
    });
    expect(error).toMatch(/^[A-Z][^.]{10,}[.!]( [A-Z][^.]+\.)?$/);
    expect(complaints()).toEqual([]);
    expect(await inbox()).toEqual([]);
  });

  it('with a second file is refused with a sentence that only one is allowed', async () => {
    const payload = body(head('file'), photo, '\r\n', head('other'), photo, '\r\n--XX--\r\n');
    const response = await server.inject({
      method,
      url: path,
      headers: { ...asha.headers, 'content-type': form },
      payload,
    });
    expect(response.json()).toMatchObject({
      code: 'invalid_input',
      error: 'Please send one file at a time.',
    });
    expect(response.statusCode).toBe(400);
    expect(complaints()).toEqual([]);
    expect(await inbox()).toEqual([]);
  });

  it.each([
    ['before the file', ''],
    ['within the file', `${head('file')}half`],
    ['after the file', `${head('file')}whole\r\n--XX\r\n`],
  ])('is not logged as an error if the client disconnects %s', async (_when, sent) => {
    // A person who has not reached the rate limit of forms yet.
    const sender = await signUpSomebody(server);
    const arriving = once(server.app.server, 'request');
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const start = [
      `${method} ${path} HTTP/1.1`,
      'host: localhost',
      `authorization: ${sender.headers.authorization}`,
      `content-type: ${form}`,
      'content-length: 100000',
    ];
    socket.write(`${start.join('\r\n')}\r\n\r\n${sent}`);
    const [, response] = await arriving;
    if (sent) await expect.poll(inbox).toHaveLength(1);
    socket.destroy();
    await once(response as ServerResponse, 'close');
    await expect.poll(inbox).toEqual([]);
    // Answered after the server has processed the other request.
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect(complaints()).toEqual([]);
  });
});
