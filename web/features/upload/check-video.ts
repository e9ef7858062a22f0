import { limits } from '../../../contract/limits.ts';
import type { MessageId } from '../../messages/catalogues.ts';

/** Why a file will not be taken, as far as the browser can tell before a byte is sent; the server looks closer. */
export function objectionTo(file: File): MessageId | undefined {
  if (file.size === 0) return 'upload.empty';
  if (file.size > limits.video.maxBytes) return 'upload.tooLarge';
  if (file.type !== '' && !file.type.startsWith('video/')) return 'upload.notVideo';
  return undefined;
}
