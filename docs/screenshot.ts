import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../testing/browser.ts';
import { startProgram } from '../testing/program.ts';

/* `node docs/screenshot.ts`: the README's picture, of a first start's own demo. */
const folder = await mkdtemp(join(tmpdir(), 'jhalak-screenshot-'));
const program = await startProgram({ DATA_DIR: folder, JHALAK_DEMO: 'on' });
const browser = await openBrowser();
try {
  while (!program.said().out.includes('demo content is complete'))
    await new Promise((resolve) => setTimeout(resolve, 1000));
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(program.origin, { waitUntil: 'networkidle' });
  await page.screenshot({
    path: fileURLToPath(new URL('images/home.jpg', import.meta.url)),
    type: 'jpeg',
    quality: 80,
  });
} finally {
  await browser.close();
  await program.stop();
  rmSync(folder, { recursive: true, force: true });
}
