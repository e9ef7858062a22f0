import { basename, dirname } from 'node:path';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import type { Plugin } from 'vite';

/** Compiles the ICU catalogues while building, so that no message parser travels to the browser. */
export function compiledMessages(): Plugin {
  return {
    name: 'jhalak:messages',
    enforce: 'pre',
    transform(source, id) {
      if (basename(dirname(id)) !== 'messages' || !id.endsWith('.json')) return;
      const messages = Object.entries(JSON.parse(source) as Record<string, string>);
      const compiled = messages.map(([key, message]) => [key, compileMessageOrThrow(message)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}
