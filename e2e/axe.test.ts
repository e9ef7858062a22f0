import { expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { sharedBrowser } from '#testing/browser/browser.ts';

it('what a page breaks is named with its first element, for all rules or for some', async () => {
  const page = await (await sharedBrowser()).newPage();
  await page.setContent(
    '<!doctype html><html lang="en"><title>A page</title><main><h1>A heading</h1><img src="data:,"><p style="color: #ccc">Pale</p></main></html>',
  );
  const pale = expect.stringMatching(/^color-contrast: <p style.+contrast of/);
  const unnamed = expect.stringMatching(/^image-alt: <img/);
  expect(await violationsOf(page)).toEqual([pale, unnamed]);
  expect(await violationsOf(page, ['color-contrast'])).toEqual([pale]);
  await page.close();
});
