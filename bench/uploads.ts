import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, rm, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Upload } from 'tus-js-client';
import { signUpAt } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { inTurns, type Measurement, megabytes, milliseconds, percent, type Row, times } from './harness.ts';
import { type Running, withProgram } from './program.ts';
import { openProxy } from './proxy.ts';

const megabyte = 1024 * 1024;
/** The size of one upload request of the site, in bytes: the default of `UPLOAD_CHUNK_MB`. */
const piece = 16 * megabyte;

/** A short clip, followed by a free box, which players ignore. */
async function videoOf(bytes: number, path: string): Promise<string> {
  await makeClip(path, { seconds: 1 });
  const free = Buffer.alloc(bytes);
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4);
  await appendFile(path, free);
  return path;
}

/** A chunked upload until the last chunk is acknowledged, against copying the file. */
async function throughput({ origin, dataDir }: Running, token: string, rounds: number): Promise<Row> {
  const path = await videoOf(256 * megabyte, join(dataDir, 'large.mp4'));
  const { size } = await stat(path);
  const sender = senderTo(origin, token);
  const send = async () => {
    const begun = await sender.begin('reel', size);
    const address = begun.headers.get('location') ?? '';
    for (let offset = 0; offset < size; offset += piece)
      await sendPiece(origin, token, address, path, offset, size);
    if ((await sender.offset(address)) !== size) throw new Error('the file did not arrive whole');
    await sender.ask('DELETE', address);
  };
  const copy = join(dataDir, 'copy');
  const { ours, theirs, ratio } = await inTurns(
    rounds,
    () => milliseconds(send),
    () => milliseconds(() => pipeline(createReadStream(path), createWriteStream(copy))),
  );
  await rm(copy);
  const rate = (time: number) => `${megabytes((size / time) * 1000)}/s`;
  return {
    what: 'Upload of 256 MB in chunks',
    ours: rate(ours),
    against: `${rate(theirs)}, copied on the same disk`,
    ratio: percent(1 / ratio),
    reach: '',
  };
}

async function sendPiece(
  origin: string,
  token: string,
  address: string,
  path: string,
  offset: number,
  size: number,
) {
  const end = Math.min(offset + piece, size);
  const { hostname, port } = new URL(origin);
  const headers = {
    'tus-resumable': '1.0.0',
    authorization: `Bearer ${token}`,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': offset,
    'content-length': end - offset,
  };
  const patch = request({ hostname, port, method: 'PATCH', path: address, headers });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    patch.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
  });
  await pipeline(createReadStream(path, { start: offset, end: end - 1 }), patch);
  const status = await answered;
  if (status !== 204) throw new Error(`a piece was answered ${status}`);
}

/** Cuts the connection after this many bytes, and then resumes the upload from the offset that the server reports. */
async function resumed({ origin, dataDir }: Running, token: string, percentage: number): Promise<Row> {
  const path = await videoOf(64 * megabyte, join(dataDir, `cut-${percentage}.mp4`));
  const { size } = await stat(path);
  const proxy = await openProxy(origin, {});
  try {
    let address = '';
    proxy.cutAfter(Math.round((size * percentage) / 100));
    await sendRest(`${proxy.origin}/api/uploads`, path, size, token, '', (found) => {
      address = found;
    }).then(
      () => Promise.reject(new Error('the connection was not cut')),
      () => undefined,
    );
    const { ask, offset } = senderTo(origin, token);
    await sendRest(`${proxy.origin}/api/uploads`, path, size, token, address, () => undefined);
    if ((await offset(new URL(address).pathname)) !== size) throw new Error('the file did not arrive whole');
    await ask('DELETE', new URL(address).pathname);
    const again = (proxy.sent() - size) / size;
    return {
      what: `Upload of 64 MB interrupted at ${percentage} %`,
      ours: megabytes(proxy.sent()),
      against: `${megabytes(size)} in the file`,
      ratio: times(proxy.sent() / size),
      reach: '≤ 1.05 ×',
      holds: again <= 0.05,
    };
  } finally {
    await proxy.close();
  }
}

function sendRest(
  endpoint: string,
  path: string,
  size: number,
  token: string,
  uploadUrl: string,
  keep: (url: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(createReadStream(path), {
      endpoint,
      ...(uploadUrl ? { uploadUrl } : {}),
      uploadSize: size,
      chunkSize: piece,
      metadata: { kind: 'reel' },
      headers: { authorization: `Bearer ${token}` },
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => keep(upload.url ?? ''),
      onSuccess: () => resolve(),
      onError: reject,
    });
    upload.start();
  });
}

export const uploads: Measurement = {
  name: 'uploads',
  async run(bench) {
    const copy = await (await bench.filled()).copy();
    try {
      return await withProgram(copy.url, {}, async (program) => {
        const { token } = await signUpAt(program.origin, 'sender');
        const rows = [await throughput(program, token, bench.rounds)];
        for (const percentage of [1, 50, 99]) rows.push(await resumed(program, token, percentage));
        return rows;
      });
    } finally {
      await copy.drop();
    }
  },
};
