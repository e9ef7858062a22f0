import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { escapeHtml } from '#contract/escape-html.ts';
import { languages } from '#contract/languages.ts';
import { type SiteRoute, siteRoutes } from '#e2e/routes.ts';
import { monthOf } from '#server/platform/clock.ts';
import { violationsOf } from '#testing/browser/axe.ts';
import { openBrowser } from '#testing/browser/browser.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { demoSite } from './demo-site.ts';
import { seenPicturesAreThere } from './seen-pictures.ts';

/*
 * `npm run look`: screenshots of every route in four sizes, both themes and both languages, in `look/`, and a page that shows them side by
 * side. Reports console errors, axe violations and horizontal overflow, and exits with 1 if there were any.
 * `npm run look /About /Contact` shows only some routes, `-- --lang hi` one language; their pictures replace those in `look/`, and the
 * others stay.
 * Two pages are processed at a time; their demo is stored in `look/` for the next run.
 */
const { values: options, positionals: only } = parseArgs({
  // As an option npm would take the names of the routes for its own, and everything would be shown.
  allowPositionals: true,
  options: { lang: { type: 'string' } },
});
const atOnce = 2;
/** Pages that have more for signed-in people, although their content is the same. */
const alsoSignedIn = ['/'];
const sizes = [
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const folder = fileURLToPath(new URL('../look/', import.meta.url));
const isWhole = only.length === 0 && !options.lang;

/** One page in one theme and language, with its results. */
interface Look {
  name: string;
  route: SiteRoute;
  context: BrowserContext;
  pictures: string[];
  complaints: string[];
}

async function look({ name, route, context, pictures, complaints }: Look): Promise<void> {
  const { path, status = 200 } = route;
  const page = await context.newPage();
  page.on('console', (message) => {
    const expected = status === 404 && message.text().includes('404');
    if (['error', 'warning'].includes(message.type()) && !expected) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== site.origin) complaints.push(`asks ${url.origin}`);
  });
  /** After two frames the new size is drawn. */
  const resize = async (size: { width: number; height: number }) => {
    await page.setViewportSize(size);
    await page.evaluate(
      () => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))),
    );
  };
  const first = sizes[0] ?? { width: 390, height: 844 };
  await page.setViewportSize(first);
  const answer = await page.goto(path, { waitUntil: 'networkidle' });
  if (answer?.status() !== status) complaints.push(`status ${answer?.status()}`);
  await page.evaluate(() => document.fonts.ready);
  for (const violation of await violationsOf(page)) complaints.push(`axe ${violation}`);
  for (const size of sizes) {
    await resize(size);
    // Pictures for the new size are still loading.
    await page.waitForFunction(seenPicturesAreThere).catch(() => complaints.push('is still loading'));
    const file = `${name.replace(/[^\w]+/g, '-')}-${size.width}x${size.height}.png`;
    await page.screenshot({ path: join(folder, file) });
    pictures.push(file);
  }
  for (const width of [320, 1280, 2560]) {
    await resize({ width, height: 900 });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) complaints.push(`${over} px wider than ${width} px`);
  }
  await page.close();
}

/** A browser in a language, with what is stored in it. */
async function contextOf(lang: string, stored: Record<string, string>): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: site.origin,
    locale: lang === 'hi' ? 'hi-IN' : 'en-GB',
    reducedMotion: 'reduce',
  });
  await context.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) localStorage.setItem(name, value);
  }, stored);
  return context;
}

await mkdir(folder, { recursive: true });
const site = await demoSite({ keptIn: folder, whole: true });
const browser = await openBrowser();
const { _id } = JSON.parse(site.session.user) as { _id: string };
/** The congratulation was seen before, or it would cover the pictures. */
const session = {
  ...site.session,
  [storageKeys.congratulated]: `${_id} ${monthOf(new Date(), 'Asia/Kolkata')}`,
};
const looks: Look[] = [];
try {
  const all = siteRoutes(site);
  for (const path of only)
    if (!all.some((route) => route.path === path)) throw new Error(`There is no route ${path}`);
  const routes = all.filter(({ path }) => only.length === 0 || only.includes(path));
  for (const lang of languages.filter((language) => !options.lang || language === options.lang))
    for (const theme of ['light', 'dark'] as const)
      for (const signedIn of [false, true]) {
        const context = await contextOf(lang, { theme, ...(signedIn ? session : {}) });
        for (const route of routes.filter(
          ({ path, personal }) => personal || alsoSignedIn.includes(path) || !signedIn,
        ))
          looks.push({
            name: `${route.path}${signedIn ? ' (signed in)' : ''} ${lang} ${theme}`,
            ...{ route, context, pictures: [], complaints: [] },
          });
      }
  const waiting = looks.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const page of waiting) await look(page);
    }),
  );
} finally {
  await browser.close();
  await site.stop();
}
const pictures = looks.flatMap(({ pictures }) => pictures);
const complaints = looks.flatMap(({ name, complaints: all }) => all.map((words) => `${name}: ${words}`));
/** The looks of a route follow one another, so that a line has one theme and language in all sizes. */
const sections = [...Map.groupBy(looks, ({ route }) => route.path)].map(([path, ofRoute]) => {
  const lines = ofRoute.map(
    ({ name, pictures: files }) =>
      `<h3>${escapeHtml(name)}</h3><p>${files.map((file) => `<a href="${file}"><img loading="lazy" src="${file}" alt="${file}"></a>`).join('')}</p>`,
  );
  return `<h2>${escapeHtml(path)}</h2>${lines.join('')}`;
});
const style =
  'body{font:1rem sans-serif}p{display:flex;gap:1rem;align-items:start;margin:0}img{height:26rem;max-width:48rem;object-fit:contain}';
if (isWhole) {
  // Only now: a run that is interrupted leaves the earlier pictures.
  for (const old of await readdir(folder))
    if (old.endsWith('.png') && !pictures.includes(old)) await rm(join(folder, old));
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Every page</title><style>${style}</style>${sections.join('')}`,
  );
}
for (const complaint of complaints) process.stdout.write(`${complaint}\n`);
process.stdout.write(`${pictures.length} pictures in look/, ${complaints.length} complaints\n`);
process.exit(complaints.length > 0 ? 1 : 0);
