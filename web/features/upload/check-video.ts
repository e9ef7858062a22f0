import { limits } from '#contract/limits.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { within } from './within.ts';

/** As long as reading a file may take, in milliseconds; then it is let through and the server looks. */
const patience = 5000;

/** Why a file will not be taken, as its size says. */
export function sizeObjection(file: File): MessageId | undefined {
  if (file.size === 0) return 'upload.empty';
  if (file.size > limits.video.maxBytes) return 'upload.tooLarge';
  return undefined;
}

/** Why a file will not be taken, as far as the browser can tell before a byte is sent; the server looks closer. */
export async function contentObjection(file: File): Promise<MessageId | undefined> {
  // The reader of containers is fetched with the first file; where it does not come, the server looks.
  const probe = await import('./probe-video.ts')
    .then(({ probeVideo }) => within(patience, probeVideo(file)))
    .catch(() => ({ known: false }) as const);
  if (!probe.known) {
    // Systems have all kinds of types for a video that no browser plays: only what is plainly something else is refused.
    return /^(image|text)\/|^application\/(pdf|json|zip)$/.test(file.type) ? 'upload.notVideo' : undefined;
  }
  if (probe.seconds === undefined) return 'upload.notVideo';
  return probe.seconds > limits.video.maxSeconds + limits.video.toleranceSeconds
    ? 'upload.tooLong'
    : undefined;
}
