import { Readable } from 'node:stream';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyError, FastifyRequest } from 'fastify';
import type { FileUpload } from '#contract/endpoint.ts';
import { fileEmpty, fileTooLarge, Refusal } from '../platform/refusal.ts';
import type { Inbox, ReceivedFile } from '../platform/storage.ts';

const overhead = 64 * 1024;

/** Refuses where there is no room for so many bytes more. */
export type CheckDiskSpace = (bytes: number) => Promise<void>;

/**
 * Streams the multipart part `file` to the disk; never in memory. A body that says or turns out to be too large, has
 * no such part or a second file, is empty, is malformed or breaks off is refused, and leaves nothing behind.
 */
export async function receiveFile(
  request: FastifyRequest,
  inbox: Inbox,
  checkDiskSpace: CheckDiskSpace,
  { maxBytes, missing: sentence = 'Please attach a file as the form field "file".' }: FileUpload,
): Promise<ReceivedFile> {
  const tooLarge = () => fileTooLarge(maxBytes);
  const missing = () => Refusal.again({ code: 'file_missing', sentence, field: 'file' });
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
  const gone = () => part.file.destroy(interrupted());
  request.raw.once('aborted', gone);
  // The part itself may never end.
  part.file.once('limit', () => part.file.destroy(tooLarge()));
  let received: ReceivedFile;
  try {
    received = await inbox.receive(Readable.from(bytesOf(part.file), { objectMode: false }), announced);
  } finally {
    request.raw.off('aborted', gone);
  }
  try {
    if (part.file.truncated) throw tooLarge();
    if (received.bytes === 0) throw fileEmpty();
    // Only what ends well has arrived whole.
    await files.next();
    return received;
  } catch (error) {
    await received.letGo();
    throw error;
  }
}

const interrupted = () =>
  new Refusal('upload_interrupted', 'The upload was interrupted. Please try again.', 'file');

/** The files of a form, of which there may be one; whatever the parser stumbles over is the fault of who sent it. */
async function* filesOf(request: FastifyRequest, maxBytes: number): AsyncGenerator<MultipartFile, undefined> {
  try {
    yield* request.files({
      limits: { fileSize: maxBytes, files: 1, fields: 20, parts: 24, fieldSize: overhead },
    });
  } catch (error) {
    if (request.raw.readableAborted) throw interrupted();
    const { code, statusCode } = error as FastifyError;
    if (code === 'FST_FILES_LIMIT') throw new Refusal('invalid_input', 'Please send one file at a time.');
    if (statusCode === 413) throw error;
    throw new Refusal('invalid_input', 'This form could not be read. Please send the file again.');
  }
}

/** The bytes of a part. Where they end too early, that is no failure of the disk they are written to. */
async function* bytesOf(part: Readable): AsyncGenerator<Buffer> {
  try {
    yield* part;
  } catch (error) {
    throw error instanceof Refusal ? error : interrupted();
  }
}
