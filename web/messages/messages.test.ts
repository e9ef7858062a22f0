import { readdirSync, readFileSync } from 'node:fs';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';

const here = new URL('.', import.meta.url);
const read = (file: string): Record<string, string> => JSON.parse(readFileSync(new URL(file, here), 'utf8'));
const files = readdirSync(here).filter((name) => name.endsWith('.json'));

describe.each(files)('the messages of %s', (file) => {
  const messages = read(file);

  it('are well-formed ICU', () => {
    for (const message of Object.values(messages)) expect(() => compileMessageOrThrow(message)).not.toThrow();
  });

  it('say nothing that English does not know', () => {
    const english = read('en.json');
    expect(Object.keys(messages).filter((id) => !(id in english))).toEqual([]);
  });
});
