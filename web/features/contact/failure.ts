import { isApiError } from '#contract/api-error.ts';
import type { useText } from '#web/text.tsx';

/** The message about a failed request (specification §8): the server's reason, or that the server was not reached. */
export function failureWords(
  error: unknown,
  failed: 'contact.failed' | 'feedback.failed',
  text: ReturnType<typeof useText>,
): string {
  if (isApiError(error) && error.status > 0 && error.code !== 'unavailable')
    return text(failed, { reason: error.sentence || text('message.unknown') });
  if (isApiError(error)) return text('message.network');
  return text(failed, { reason: text('message.unknown') });
}
