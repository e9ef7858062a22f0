import type { Browser, CDPSession, Page } from 'playwright-core';
import { openBrowser } from '#testing/browser/browser.ts';
import { openDemo } from './demo.ts';
import { inMilliseconds, type Measurement, median } from './harness.ts';

/** How much slower than this machine, as in Lighthouse's preset for phones. */
const slowdown = 4;
/** Longer tasks are felt (issue "Felt"). */
const longest = 50;
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** The longest task of the main thread from the touch that swipes to the first frame of the next video, on a phone. */
export const motion: Measurement = {
  name: 'motion',
  async run(bench) {
    const site = await openDemo();
    const browser = await openBrowser();
    try {
      const runs: number[] = [];
      for (let round = 0; round < bench.rounds; round += 1)
        runs.push(longestOf(await traceOfSwipe(browser, `${site.origin}/videoplayer`)));
      const middle = median(runs);
      return [
        {
          what: `Longest task from swipe to first frame, at slowdown ${slowdown}`,
          ours: inMilliseconds(middle),
          against: '',
          ratio: `of ${runs.length} runs: ${runs.map((run) => run.toFixed(0)).join(', ')}`,
          reach: `≤ ${longest} ms`,
          holds: middle <= longest,
        },
      ];
    } finally {
      await browser.close();
      await site.stop();
    }
  },
};

/** What Chromium writes of one thing that happened; times in microseconds. */
interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  /** Processor time of the thread, which other load on the machine does not lengthen. */
  tdur?: number;
  args?: { name?: string };
}

const marks = { swipe: 'swipe', frame: 'first frame' };

/** The trace of one swipe from the first reel to the second, by a visitor with an empty cache. */
async function traceOfSwipe(browser: Browser, address: string): Promise<TraceEvent[]> {
  const context = await browser.newContext(phone);
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(address);
    await page.waitForFunction(() => {
      const video = document.querySelector<HTMLVideoElement>('.clip:not([inert]) video');
      return video !== null && video.currentTime > 2;
    });
    await page.evaluate(markFirstFrame, marks);
    await browser.startTracing(page, {
      categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing'],
    });
    await swipeUp(devTools);
    await framed(page);
    return JSON.parse((await browser.stopTracing()).toString()).traceEvents as TraceEvent[];
  } finally {
    await context.close();
  }
}

/** Marks the touch and the first frame of another video than the current one, in the trace. */
function markFirstFrame({ swipe, frame }: typeof marks): void {
  const onScreen = () => document.querySelector<HTMLVideoElement>('.clip:not([inert]) video');
  const before = onScreen();
  const look = () => {
    const video = onScreen();
    if (!video || video === before) return requestAnimationFrame(look);
    video.requestVideoFrameCallback(() => performance.mark(frame));
  };
  window.addEventListener(
    'pointerdown',
    () => {
      performance.mark(swipe);
      requestAnimationFrame(look);
    },
    { once: true, capture: true },
  );
}

const framed = (page: Page) =>
  page.waitForFunction((frame) => performance.getEntriesByName(frame).length > 0, marks.frame, {
    // Polling on each frame would add its own work to the trace.
    polling: 500,
  });

/** A finger that moves up by half of the screen in ten steps. */
async function swipeUp(devTools: CDPSession): Promise<void> {
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    devTools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: y === undefined ? [] : [{ x: 160, y }],
    });
  await touch('touchStart', 640);
  for (let y = 600; y >= 240; y -= 40) await touch('touchMove', y);
  await touch('touchEnd');
}

/** Milliseconds of processor time of the longest task of the page's main thread between the two marks. */
function longestOf(events: readonly TraceEvent[]): number {
  const marked = (name: string) => {
    const found = events.find((event) => event.name === name);
    if (!found) throw new Error(`the trace has no ${name}`);
    return found;
  };
  const [start, end] = [marked(marks.swipe), marked(marks.frame)];
  const tasks = events.filter(
    ({ name, pid, tid, ts, dur = 0 }) =>
      name === 'RunTask' && pid === start.pid && tid === start.tid && ts + dur >= start.ts && ts <= end.ts,
  );
  return Math.max(...tasks.map(({ dur = 0, tdur = dur }) => tdur)) / 1000;
}
