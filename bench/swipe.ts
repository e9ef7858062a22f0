import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '#testing/browser/browser.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { startProgram } from '#testing/servers/program.ts';
import { inMilliseconds, inTurns, type Measurement, median, times } from './harness.ts';
import { openProxy } from './proxy.ts';

const clips = 4;
/** How long each video is watched before the next swipe, in milliseconds. */
const watched = 2500;
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };

/** From the key that swipes to the first frame of the next video, over a phone's connection, against a plain video element. */
export const swipe: Measurement = {
  name: 'swipe',
  async run(bench) {
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-bench-'));
    const program = await startProgram({ DATA_DIR: folder });
    const link = await openProxy(program.origin, { bitsPerSecond: 10_000_000, roundTrip: 50 });
    const browser = await openBrowser();
    try {
      const person = await signUpAt(program.origin, 'filmer');
      for (let clip = 0; clip < clips; clip += 1) {
        const path = join(folder, `${clip}.mp4`);
        const source = `testsrc2=size=720x1280:rate=30,hue=h=${clip * 60},noise=alls=20:allf=t`;
        await makeClip(path, { seconds: 5, source });
        await person.publish(path, `Clip ${clip}`);
      }
      const { data } = await (await fetch(`${program.origin}/api/reel/getallReels`)).json();
      const reels = data as { _id: string; videourl: string }[];
      const player = `${link.origin}/videoplayer?reel=${reels[0]?._id}`;
      const { ours, theirs, ratio } = await inTurns(
        Math.min(3, bench.rounds),
        () => swipeThrough(browser, (page) => page.goto(player)),
        () =>
          swipeThrough(browser, (page) =>
            openPlain(
              page,
              link.origin,
              reels.map((reel) => reel.videourl),
            ),
          ),
      );
      return [
        {
          what: 'Swipe to the first frame (10 Mbit/s, 50 ms)',
          ours: inMilliseconds(ours),
          against: `${inMilliseconds(theirs)}, a plain <video>`,
          ratio: times(1 / ratio),
          reach: '',
        },
      ];
    } finally {
      await browser.close();
      await link.close();
      await program.stop();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The median of the swipes of a visitor with an empty cache, from the first video to the last. */
async function swipeThrough(browser: Browser, open: (page: Page) => Promise<unknown>): Promise<number> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    await open(page);
    const taken: number[] = [];
    for (let swipes = 1; swipes < clips; swipes += 1) {
      await page.waitForFunction(() => {
        const video = document.querySelector<HTMLVideoElement>('.clip:not([inert]) video');
        return video !== null && video.currentTime > 0.1;
      });
      await sleep(watched);
      // The key press may overtake an `evaluate` that is still pending.
      const frame = await page.evaluateHandle(firstFrame);
      await page.keyboard.press('ArrowDown');
      taken.push(await frame.evaluate(({ taken }) => taken));
    }
    return median(taken);
  } finally {
    await context.close();
  }
}

/** Milliseconds from the next key press to the first frame of another video than the current one. */
function firstFrame(): { taken: Promise<number> } {
  const onScreen = () => document.querySelector<HTMLVideoElement>('.clip:not([inert]) video');
  const before = onScreen();
  const taken = new Promise<number>((resolve) => {
    window.addEventListener(
      'keydown',
      () => {
        const start = performance.now();
        const look = () => {
          const video = onScreen();
          if (!video || video === before) return requestAnimationFrame(look);
          video.requestVideoFrameCallback(() => resolve(performance.now() - start));
        };
        requestAnimationFrame(look);
      },
      { once: true, capture: true },
    );
  });
  return { taken };
}

/** A page that preloads nothing: the next video begins to load when it is shown. */
async function openPlain(page: Page, origin: string, addresses: string[]): Promise<void> {
  const videos = addresses.map(
    (src, index) =>
      `<div class="clip"${index > 0 ? ' inert' : ''}><video src="${src}" preload="none" muted playsinline loop></video></div>`,
  );
  const script = `
    const clips = [...document.querySelectorAll('.clip')];
    let at = 0;
    clips[0].firstChild.play();
    addEventListener('keydown', () => {
      clips[at].firstChild.pause();
      clips[at].inert = true;
      at += 1;
      clips[at].inert = false;
      clips[at].firstChild.play();
    });`;
  const style =
    '.clip { position: fixed; inset: 0 } .clip[inert] { visibility: hidden } video { height: 100% }';
  const body = `<!doctype html><style>${style}</style>${videos.join('')}<script>${script}</script>`;
  await page.route('**/plain', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${origin}/plain`);
}
