import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('every decision is in the table of contents; `npx vitest -u` updates it', async () => {
  const folder = new URL('../docs/decisions/', import.meta.url);
  const names = readdirSync(folder).filter((name) => /^\d{4}-.*\.md$/.test(name));
  const lines = names.sort().map((name) => {
    const [heading = ''] = readFileSync(new URL(name, folder), 'utf8').split('\n');
    const title = /^# (\d{4})[:.]? (.+)$/.exec(heading);
    expect(title?.[1], `${name} begins with "# ${name.slice(0, 4)} " and its title`).toBe(name.slice(0, 4));
    return `- [${title?.[1]}](${name}) ${title?.[2]}`;
  });
  const page = [
    '# Decisions',
    '',
    'Context, decision, consequences; the newest is the last.',
    '',
    ...lines,
    '',
  ];
  await expect(page.join('\n')).toMatchFileSnapshot('../docs/decisions/README.md');
});
