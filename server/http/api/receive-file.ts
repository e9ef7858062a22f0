import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { FileUpload } from '#contract/endpoint.ts';
import { fileEmpty, fileTooLarge, Refusal } from '#server/platform/refusal.ts';
import type { Inbox, ReceivedFile } from '#server/platform/storage.ts';

const overhead = 64 * 1024;

/** Throws `storage_full` if there is no space for this many more bytes. */
export type CheckDiskSpace = (bytes: number) => Promise<void>;

/**
 * Streams the multipart part `file` to the disk, never into memory. Refuses a body that is too large, empty, malformed or
 * interrupted, or that has no file or several; a refused body leaves no file behind.
 */
export async function receiveFile(
  request: FastifyRequest,
  inbox: Inbox,
  checkDiskSpace: CheckDiskSpace,
  { maxBytes, missing: what = 'file' }: FileUpload,
): Promise<ReceivedFile> {
  const tooLarge = () => fileTooLarge(maxBytes);
  const missing = () => new Refusal('file_missing', { what }, 'file');
  if (!request.isMultipart()) throw missing();
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes + overhead) throw tooLarge();
  await checkDiskSpace(announced);

  const files = filesOf(request, maxBytes);
  const part = (await files.next()).value;
  if (!part) throw missing();
  if (part.fieldname !== 'file') {
    part.file.resume();
    throw missing();
  }
  const onAborted = () => part.file.destroy(interrupted());
  request.raw.once('aborted', onAborted);
  // A part above the limit is aborted here, because it may be endless.
  part.file.once('limit', () => part.file.destroy(tooLarge()));
  let received: ReceivedFile;
  try {
    received = await inbox.receive(Readable.from(bytesOf(part.file), { objectMode: false }), announced);
  } finally {
    request.raw.off('aborted', onAborted);
  }
  try {
    if (part.file.truncated) throw tooLarge();
    if (received.bytes === 0) throw fileEmpty();
    // The file is complete only if the rest of the form is well-formed, too.
    await files.next();
    return received;
  } catch (error) {
    await received.release();
    throw error;
  }
}

const interrupted = () => new Refusal('upload_interrupted', {}, 'file');

/** The files of a form, at most one. Errors of the parser are the client's fault. */
async function* filesOf(request: FastifyRequest, maxBytes: number): AsyncGenerator<MultipartFile, undefined> {
  try {
    yield* request.files({
      limits: { fileSize: maxBytes, files: 1, fields: 20, parts: 24, fieldSize: overhead },
    });
  } catch (error) {
    if (request.raw.readableAborted) throw interrupted();
    const { code, statusCode } = error as FastifyError;
    if (code === 'FST_FILES_LIMIT') throw new Refusal('invalid_input', { what: 'one_file' });
    if (statusCode === 413) throw error;
    throw new Refusal('invalid_input', { what: 'form' });
  }
}

/** The bytes of a part. An early end is reported as an interrupted upload, not as a failure of the disk. */
async function* bytesOf(part: Readable): AsyncGenerator<Buffer> {
  try {
    yield* part;
  } catch (error) {
    throw error instanceof Refusal ? error : interrupted();
  }
}
