import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { siteRoutes } from '../e2e/routes.ts';
import { openBrowser } from '../testing/browser.ts';
import { demoSite } from './demo-site.ts';

/*
 * `npm run look`: every route in three sizes and both themes, as pictures in `look/` with an index to leaf through. Says
 * what a console, axe or a sideways scroll complained of, and ends with 1 if there was anything.
 * `-- --lang hi` looks at the Hindi site, `-- --only /About,/Contact` at some routes.
 */
const { values: asked } = parseArgs({
  options: { lang: { type: 'string', default: 'en' }, only: { type: 'string', default: '' } },
});
const sizes = [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const folder = fileURLToPath(new URL('../look/', import.meta.url));
const only = asked.only.split(',').filter(Boolean);
const complaints: string[] = [];
const pictures: string[] = [];

const site = await demoSite();
const browser = await openBrowser();
try {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const routes = siteRoutes(site.personId).filter(({ path }) => only.length === 0 || only.includes(path));
  for (const theme of ['light', 'dark'] as const) {
    for (const signedIn of [false, true]) {
      const context = await browser.newContext({
        baseURL: site.origin,
        locale: asked.lang === 'hi' ? 'hi-IN' : 'en-GB',
        reducedMotion: 'reduce',
      });
      const kept = { theme, ...(signedIn ? site.session : {}) };
      await context.addInitScript((values) => {
        for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
      }, kept);
      for (const { path, personal, status = 200 } of routes) {
        if (signedIn && !personal) continue;
        const page = await context.newPage();
        const name = `${path}${signedIn ? ' (signed in)' : ''} ${theme}`;
        page.on('console', (message) => {
          const expected = status === 404 && message.text().includes('404');
          if (['error', 'warning'].includes(message.type()) && !expected)
            complaints.push(`${name}: ${message.text()}`);
        });
        page.on('pageerror', (error) => complaints.push(`${name}: ${error.message}`));
        page.on('request', (request) => {
          const url = new URL(request.url());
          if (url.protocol.startsWith('http') && url.origin !== site.origin)
            complaints.push(`${name}: asks ${url.origin}`);
        });
        for (const [place, size] of sizes.entries()) {
          await page.setViewportSize(size);
          if (place === 0) {
            const answer = await page.goto(path, { waitUntil: 'networkidle' });
            if (answer?.status() !== status) complaints.push(`${name}: status ${answer?.status()}`);
          }
          await page.waitForTimeout(250);
          const file = `${name.replace(/[^\w]+/g, '-')}-${size.width}.png`;
          await page.screenshot({ path: join(folder, file) });
          pictures.push(file);
        }
        for (const width of [320, 1280, 2560]) {
          await page.setViewportSize({ width, height: 900 });
          await page.waitForTimeout(100);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (over > 0) complaints.push(`${name}: ${over} px wider than ${width} px`);
        }
        await page.setViewportSize({ width: 390, height: 844 });
        const { violations } = await new AxeBuilder({ page })
          .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
          .analyze();
        for (const { id, nodes } of violations)
          complaints.push(`${name}: axe ${id} at ${nodes.map((node) => node.target.join(' ')).join(' | ')}`);
        await page.close();
      }
      await context.close();
    }
  }
  const figures = pictures.map(
    (file) => `<figure><img loading="lazy" src="${file}"><figcaption>${file}</figcaption></figure>`,
  );
  const style =
    'body{display:flex;flex-wrap:wrap;gap:1rem;align-items:start;font:1rem sans-serif}img{height:32rem}figure{margin:0}';
  await writeFile(
    join(folder, 'index.html'),
    `<meta charset="utf-8"><style>${style}</style>${figures.join('')}`,
  );
} finally {
  await browser.close();
  await site.stop();
}
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(`${pictures.length} pictures in look/, ${complaints.length} complaints\n`);
process.exit(complaints.length > 0 ? 1 : 0);
