import type { FastifyRequest } from 'fastify';
import type { FileUpload } from '../../contract/endpoint.ts';
import { fileEmpty, fileTooLarge, Refusal } from '../platform/refusal.ts';
import type { Inbox, ReceivedFile } from '../platform/storage.ts';

const overhead = 64 * 1024;

/** Refuses where there is no room for so many bytes more. */
export type LeaveRoom = (bytes: number) => Promise<void>;

/**
 * Streams the multipart part `file` to the disk; never in memory. A body that says or turns out to be too large, has
 * no such part, is empty or breaks off is refused, and leaves nothing behind.
 */
export async function receiveFile(
  request: FastifyRequest,
  inbox: Inbox,
  leaveRoom: LeaveRoom,
  { maxBytes, missing: sentence = 'Please attach a file as the form field "file".' }: FileUpload,
): Promise<ReceivedFile> {
  const tooLarge = () => fileTooLarge(maxBytes);
  const missing = () => new Refusal('file_missing', sentence, 'file');
  if (!request.isMultipart()) throw missing();
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes + overhead) throw tooLarge();
  await leaveRoom(announced);

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
  // The part itself may never end.
  part.file.once('limit', () => part.file.destroy(tooLarge()));
  let received: ReceivedFile;
  try {
    received = await inbox.receive(part.file);
  } catch (error) {
    const endless = error instanceof Error && /unexpected end/i.test(error.message);
    if (endless || request.raw.aborted || request.raw.readableAborted) {
      throw new Refusal('upload_interrupted', 'The upload was interrupted. Please try again.', 'file');
    }
    throw error;
  } finally {
    request.raw.off('aborted', gone);
  }
  const refused = part.file.truncated ? tooLarge() : received.bytes === 0 ? fileEmpty() : undefined;
  if (refused) {
    await received.letGo();
    throw refused;
  }
  return received;
}
