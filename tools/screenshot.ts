import { fileURLToPath } from 'node:url';
import { openBrowser } from '#testing/browser/browser.ts';
import { demoSite } from './demo-site.ts';

/* `npx node tools/screenshot.ts`: the README's screenshot, of a new site with its demo. */
const site = await demoSite();
const browser = await openBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(site.origin, { waitUntil: 'networkidle' });
  await page.screenshot({
    path: fileURLToPath(new URL('../docs/images/home.jpg', import.meta.url)),
    type: 'jpeg',
    quality: 80,
  });
} finally {
  await browser.close();
  await site.stop();
}
