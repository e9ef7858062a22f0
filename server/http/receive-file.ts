import type { FastifyRequest } from 'fastify';
import { Refusal } from '../platform/refusal.ts';
import type { ReceivedFile, Storage } from '../platform/storage.ts';

const overhead = 64 * 1024;

/**
 * Streams the multipart part `file` to the inbox; never in memory. A body that says or turns out to be too large, has
 * no such part, is empty or breaks off is refused, and leaves nothing behind.
 */
export async function receiveFile(
  request: FastifyRequest,
  storage: Storage,
  maxBytes: number,
): Promise<ReceivedFile> {
  const tooLarge = () =>
    new Refusal(
      'file_too_large',
      `This file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`,
      'file',
    );
  const missing = () => new Refusal('file_missing', 'Please attach a file as the form field "file".', 'file');
  if (!request.isMultipart()) throw missing();
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + overhead) throw tooLarge();

  const part = await request.file({
    limits: { fileSize: maxBytes, files: 1, fields: 20, parts: 24, fieldSize: overhead },
  });
  if (!part) throw missing();
  if (part.fieldname !== 'file') {
    part.file.resume();
    throw missing();
  }
  const gone = () => part.file.destroy(new Error('the connection was lost'));
  request.raw.once('aborted', gone);
  let received: ReceivedFile;
  try {
    received = await storage.receive(part.file);
  } catch (error) {
    if (request.raw.aborted || request.raw.readableAborted) {
      throw new Refusal('upload_interrupted', 'The upload was interrupted. Please try again.', 'file');
    }
    throw error;
  } finally {
    request.raw.off('aborted', gone);
  }
  const refused = part.file.truncated
    ? tooLarge()
    : received.bytes === 0
      ? new Refusal('file_empty', 'This file is empty.', 'file')
      : undefined;
  if (refused) {
    await storage.discard(received.key);
    throw refused;
  }
  return received;
}
