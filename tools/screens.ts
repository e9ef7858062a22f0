import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openBrowser } from '#testing/browser/browser.ts';
import { screens } from '#web/features/download-app/screens.ts';
import { demoSite } from './demo-site.ts';
import { seenPicturesAreThere } from './seen-pictures.ts';

/* `npx node tools/screens.ts`: the screenshots of /DownloadApp, taken from the site with its demo. */
const folder = fileURLToPath(new URL('../web/public/screens/', import.meta.url));
const site = await demoSite({ whole: true });
const browser = await openBrowser();
try {
  await mkdir(folder, { recursive: true });
  for (const { name, path, theme } of screens) {
    const context = await browser.newContext({
      baseURL: site.origin,
      viewport: { width: 390, height: 844 },
      reducedMotion: 'reduce',
    });
    const stored = { theme, ...(path === '/UserProfile' || path === '/ReelPost' ? site.session : {}) };
    await context.addInitScript((values) => {
      for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
    }, stored);
    const page = await context.newPage();
    await page.goto(path === '/user/' ? `/user/${site.personId}` : path, { waitUntil: 'networkidle' });
    await page.evaluate(() => document.fonts.ready);
    await page.waitForFunction(seenPicturesAreThere);
    const picture = await page.screenshot({ type: 'png' });
    await writeFile(
      join(folder, `${name}.webp`),
      await sharp(picture).webp({ quality: 62, effort: 6 }).toBuffer(),
    );
    await context.close();
  }
} finally {
  await browser.close();
  await site.stop();
}
