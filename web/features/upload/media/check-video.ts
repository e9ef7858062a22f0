import { limits } from '#contract/limits.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { withTimeout } from './with-timeout.ts';

/** A file that takes longer to read is accepted, and only the server checks it. */
const timeoutMs = 5000;

/** The error message if the file's size is not allowed. */
export function sizeProblem(file: File): MessageId | undefined {
  if (file.size === 0) return 'upload.empty';
  if (file.size > limits.video.maxBytes) return 'upload.tooLarge';
  return undefined;
}

/** The error message if the browser sees that the file is not allowed. The server checks more. */
export async function contentProblem(file: File): Promise<MessageId | undefined> {
  // The parser is loaded with the first file. If it cannot be loaded, only the server checks the file.
  const probe = await import('./probe-video.ts')
    .then(({ probeVideo }) => withTimeout(timeoutMs, probeVideo(file)))
    .catch(() => ({ known: false }) as const);
  if (!probe.known) {
    // Operating systems report unusual types for videos, so only types that are clearly not a video are refused.
    return /^(image|text)\/|^application\/(pdf|json|zip)$/.test(file.type) ? 'upload.notVideo' : undefined;
  }
  if (probe.seconds === undefined) return 'upload.notVideo';
  return probe.seconds > limits.video.maxSeconds + limits.video.toleranceSeconds
    ? 'upload.tooLong'
    : undefined;
}
