import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { senderTo } from '#testing/clients/tus-client.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { howMany, seedOr } from '#testing/share.ts';

/*
 * Resumable uploads use tus, which the OpenAPI document does not describe: their headers are generated here. REQUESTS
 * and SEED as in generated-requests.test.ts.
 */
const requests = howMany('REQUESTS', { share: 4, whole: 24 }) * 5;
const seed = seedOr(20_261_121);

let server: TestServer;
let person: Person;
let origin: string;
let begun: string;
beforeAll(async () => {
  server = await startTestServer();
  person = await signUpSomebody(server);
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { headers } = await senderTo(origin, person.token).begin('reel', 1000);
  begun = headers.get('location') ?? '';
});
afterAll(() => server.close());

const values = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '0',
      '1',
      '-1',
      '1e3',
      '0x10',
      '9'.repeat(30),
      'NaN',
      '5, 5',
      '1000',
      '999999999999999',
      'final;a b',
    ],
    ...[
      'kind cmVlbA==',
      'kind',
      'kind ',
      'kind !!',
      'kind cmVlbA==,kind cmVlbA==',
      '__proto__ YQ==',
      'kind AA==',
    ],
    ...['sha1 x', 'é', '%00', 'partial', '1.0.0', 'application/offset+octet-stream', 'chunked', 'DELETE'],
  ),
  fc.string({ maxLength: 40, unit: 'grapheme-ascii' }),
);
const names = [
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-defer-length',
  'upload-concat',
  'upload-checksum',
  'x-http-method-override',
  'content-type',
];

it('resumable uploads with malformed headers are refused, and never cause an error of the server', {
  timeout: 60_000 + requests * 200,
}, async () => {
  const rows = async () => (await server.db.selectFrom('resumable_uploads').select('key').execute()).length;
  let kept = await rows();
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        method: fc.constantFrom('POST', 'HEAD', 'PATCH', 'DELETE', 'OPTIONS'),
        place: fc.constantFrom('', `/${'ab'.repeat(16)}`, '/x', '/..%2f..%2fetc', 'begun'),
        headers: fc.dictionary(fc.constantFrom(...names), values),
        version: fc.constantFrom('1.0.0', '1.0.0', '1.0.0', '0.2.2', ''),
        bytes: fc.uint8Array({ maxLength: 50 }),
      }),
      async ({ method, place, headers, version, bytes }) => {
        // Begun uploads are not cancelled, so that there is always one to request.
        fc.pre(
          !(place === 'begun' && (method === 'DELETE' || headers['x-http-method-override'] === 'DELETE')),
        );
        const path = place === 'begun' ? begun : `/api/uploads${place}`;
        const body = ['POST', 'PATCH'].includes(method) ? new Uint8Array(bytes) : undefined;
        const sender = senderTo(origin, person.token);
        const answer = await sender.ask(method, path, { ...headers, 'tus-resumable': version }, body);
        const asked = `${method} ${path} ${JSON.stringify(headers)}: ${answer.status} ${answer.body}`;
        // Concatenation and checksums are not supported, and are refused with a sentence.
        if (answer.status !== 501) expect(answer.status, asked).toBeLessThan(500);
        if (place !== '' || ['POST', 'OPTIONS'].includes(method))
          expect(answer.headers.get('tus-resumable'), asked).toBe('1.0.0');
        if (answer.status === 201) kept += 1;
        expect(await rows(), asked).toBe(kept);
        // With ten unfinished ones no more may be begun: cancel one.
        if (answer.status === 201)
          expect((await sender.ask('DELETE', answer.headers.get('location') ?? '')).status).toBe(204);
        kept = await rows();
      },
    ),
    { seed, numRuns: requests, endOnFailure: true },
  );
});
