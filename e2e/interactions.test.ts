import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { furnishedSite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { someOf } from '#testing/share.ts';
import { type ModeControl, modeControls } from './interactions.ts';

it('docs/interactions.md lists every control that differs; `npx vitest -u` writes it anew', async () => {
  const rows = modeControls.map(
    ({ route, control, app, web }) => `| \`${route}\` | ${control} | ${app.says} | ${web.says} |`,
  );
  const page = [
    '# Where people like, comment and follow',
    '',
    'The setting `INTERACTIONS` decides ([configuration.md](configuration.md), decisions §1): with `app`, the',
    'default, in the mobile app, and the site leads to it; with `web` on the site, by the same calls. The',
    'table is generated from `e2e/interactions.ts`, and `e2e/interactions.test.ts` tries each line in both',
    'modes. In the code, each control asks `web/features/interactions/controls.ts`, which',
    '`web/features/on-site` fills; sentences have another form in `web/messages/onsite`. Photos have no',
    'comments, since no call takes any.',
    '',
    '| route | control | `app` | `web` |',
    '| ----- | ------- | ----- | ----- |',
    ...rows,
    '',
  ];
  await expect(page.join('\n')).toMatchFileSnapshot('../docs/interactions.md');
});

const phone = { width: 390, height: 844 };

describe.each(['app', 'web'] as const)('with INTERACTIONS=%s', (mode) => {
  const site = furnishedSite({ INTERACTIONS: mode });
  const cases = someOf(modeControls, 3).map((one) => [one.route, one.control, one[mode].says, one] as const);
  let people = 0;

  const addressOf = (route: string) =>
    ({
      '/videoplayer': `/videoplayer?reel=${site.reel}`,
      '/post/{id}': `/post/${site.photo}`,
      '/user/{id}': `/user/${site.creator.id}`,
      '/search': '/search?q=cricket',
    })[route] ?? route;

  async function seen(page: Page, { press, [mode]: effect }: ModeControl) {
    const { seen, gone } = effect;
    if (!seen && !gone) {
      const others = /^(Follow|Block|Reply to) @zoya$|^Comment$|^Delete$/;
      return press ? await page.getByRole('button', { name: others }).count() : 0;
    }
    await press?.(page);
    await seen?.(page).waitFor();
    await gone?.(page).waitFor({ state: 'detached' });
    return 0;
  }

  it.each(cases)('%s: %s %s', async (_route, _control, _says, one) => {
    people += 1;
    const person = await signUpAt(site.origin, `interacts.${mode}${people}`);
    const { page, leave } = await site.open({ person, viewport: one.viewport ?? phone });
    const { comment } = one;
    if (comment) {
      const by = comment.of === 'person' ? person : site.creator;
      await by.send('POST', `/api/reel/comment/${site.reel}`, { text: comment.text, sentAs: randomUUID() });
    }
    await visit(page, addressOf(one.route));
    if (comment) await page.getByText(comment.text).waitFor();
    expect(await seen(page, one)).toBe(0);
    if (mode === 'web') expect(await page.getByText('Download the Jhalak app').count()).toBe(0);
    await leave();
  });
});
