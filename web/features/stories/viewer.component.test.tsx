import { act, fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Self } from '#contract/people.ts';
import { getFriendStories, getStoryRow, markStorySeen } from '#contract/stories.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { arriveAt, showPage } from '#testing/page/show-page.tsx';
import { person, story, zoya } from '#testing/page/things.ts';

const page = () => import('#web/pages/story.tsx');
const arun = person(2, { username: 'arun' });

/** Stories of arun from now, oldest first. */
const storiesOf = (...texts: string[]) =>
  texts.map((text, nth) =>
    story(nth + 1, text, {
      userId: arun._id,
      username: 'arun',
      createdAt: new Date().toISOString(),
      imageurl: `/media/p${nth + 1}/photo.jpg`,
    }),
  );

interface Opened {
  texts?: string[];
  stories?: ReturnType<typeof storiesOf>;
  seen?: number;
  viewer?: Self;
  owner?: string;
}

/** Opens the stories of arun: the picture of the first one is not there yet, and time stands still. */
async function open({ texts = ['One', 'Two', 'Three'], viewer, owner = arun._id, ...more }: Opened = {}) {
  const stories = more.stories ?? storiesOf(...texts);
  const server = answerCalls();
  const seen = more.seen === undefined ? [] : [{ userId: owner, storyId: story(more.seen, '')._id }];
  server.on(getStoryRow, { followed: [], seen });
  server.on(markStorySeen, {});
  server.on(getFriendStories, { data: stories.toReversed(), nextCursor: null });
  if (!viewer) localStorage.setItem('stories.seen', JSON.stringify(seen));
  const address = `/story/${owner}`;
  await showPage({
    page,
    address,
    pattern: '/story/:userId',
    loaded: { stories, ready: true },
    ...(viewer ? { person: viewer } : {}),
  });
  await screen.findByRole('dialog', { name: /Stories of/ });
  await screen.findByRole('button', { name: 'Close' });
  await vi.waitFor(() => expect(document.querySelectorAll('.stories-stage img')).toHaveLength(1));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  return server;
}

const stage = () => document.querySelector('.stories-stage') as HTMLElement;
const picture = () => stage().querySelector('img') as HTMLImageElement;
const shown = () => document.querySelector('.stories-foot p')?.textContent;
const press = (key: string) => fireEvent.keyDown(screen.getByRole('dialog'), { key });
const arrive = () => fireEvent.load(picture());
/** The server is asked whether it is still there. */
async function arriveAndAsk(): Promise<void> {
  arrive();
  await act(() => vi.advanceTimersByTimeAsync(0));
}
const pass = (milliseconds: number) => void act(() => vi.advanceTimersByTime(milliseconds));
/** As long as "One" is shown. */
const time = 5000 + 50 * 3;

describe('the time of a story', () => {
  it('begins when its picture is there, and then the next one is shown', async () => {
    await open();
    pass(60_000);
    expect(shown()).toBe('One');
    arrive();
    pass(time - 1);
    expect(shown()).toBe('One');
    pass(1);
    expect(shown()).toBe('Two');
    pass(60_000);
    expect(shown()).toBe('Two');
  });

  it('is longer if there is more to read', async () => {
    await open({ texts: ['x'.repeat(100), 'Two'] });
    arrive();
    pass(9999);
    expect(shown()).not.toBe('Two');
    pass(1);
    expect(shown()).toBe('Two');
  });

  it('rests while it is held, and goes on where it was', async () => {
    await open();
    arrive();
    pass(3000);
    fireEvent.pointerDown(stage(), { isPrimary: true, button: 0, pointerId: 1 });
    pass(250);
    pass(60_000);
    fireEvent.pointerUp(stage(), { pointerId: 1 });
    fireEvent.click(screen.getByRole('button', { name: 'Next story' }));
    expect(shown()).toBe('One');
    pass(time - 3250 - 1);
    expect(shown()).toBe('One');
    pass(1);
    expect(shown()).toBe('Two');
  });

  it('rests while the menu is open, while it is paused, and while the page is hidden', async () => {
    await open();
    arrive();
    const menu = document.querySelector('details') as HTMLDetailsElement;
    const hide = (hidden: boolean) => {
      Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
      fireEvent(document, new Event('visibilitychange'));
    };
    onTestFinished(() => hide(false));
    const rests = [
      [() => act(() => toggle(menu, true)), () => act(() => toggle(menu, false))],
      [() => press(' '), () => press(' ')],
      [
        () => fireEvent.click(screen.getByRole('button', { name: 'Pause' })),
        () => fireEvent.click(screen.getByRole('button', { name: 'Play' })),
      ],
      [() => hide(true), () => hide(false)],
    ] as const;
    for (const [begin, end] of rests) {
      begin();
      pass(60_000);
      expect(shown()).toBe('One');
      end();
    }
    pass(time);
    expect(shown()).toBe('Two');
  });

  it('never runs where reduced motion is wanted', async () => {
    const usual = window.matchMedia;
    window.matchMedia = (media) => Object.assign(usual(media), { matches: media.includes('reduced-motion') });
    onTestFinished(() => {
      window.matchMedia = usual;
    });
    await open();
    arrive();
    pass(60_000);
    expect(shown()).toBe('One');
    expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull();
    press('ArrowRight');
    expect(shown()).toBe('Two');
  });
});

function toggle(menu: HTMLDetailsElement, to: boolean) {
  menu.open = to;
  menu.dispatchEvent(new Event('toggle'));
}

describe('the first story shown', () => {
  it.each([
    ['is the first one that this device has not seen', { seen: 1 }, 'Two'],
    ['is the first one if all were seen', { seen: 3 }, 'One'],
    ['is by what the server knows of a signed-in person', { seen: 2, viewer: zoya }, 'Three'],
  ] as const)('%s', async (_what, opened, text) => {
    await open(opened);
    expect(shown()).toBe(text);
  });
});

describe('a story that was shown', () => {
  it('is remembered on the device of a visitor, and no call says it', async () => {
    const { askedOf } = await open();
    arrive();
    await act(() => vi.advanceTimersByTimeAsync(0));
    expect(JSON.parse(localStorage.getItem('stories.seen') ?? '')).toEqual([
      { userId: arun._id, storyId: story(1, '')._id },
    ]);
    expect(askedOf(markStorySeen)).toEqual([]);
  });

  it('is remembered by the server for whoever is signed in', async () => {
    const { askedOf } = await open({ viewer: zoya });
    await arriveAndAsk();
    expect(askedOf(markStorySeen)).toMatchObject([{ path: `/api/story/seen/${story(1, '')._id}` }]);
    expect(localStorage.getItem('stories.seen')).toBeNull();
  });
});

it('taps at the end close the viewer, and the late ones do nothing below it', async () => {
  await open({ texts: ['One'] });
  const below = vi.fn();
  document.body.addEventListener('click', below);
  onTestFinished(() => document.body.removeEventListener('click', below));
  const tap = (target: Element) => fireEvent.click(target, { detail: 1 });
  tap(screen.getByRole('button', { name: 'Next story' }));
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.queryByRole('dialog')).toBeNull();
  below.mockClear();
  tap(document.body);
  expect(below).not.toHaveBeenCalled();
  pass(600);
  tap(document.body);
  expect(below).toHaveBeenCalledTimes(1);
});

describe('keys', () => {
  it('show the next story and the one before, and close the viewer', async () => {
    await open();
    press('ArrowRight');
    expect(shown()).toBe('Two');
    press('ArrowLeft');
    press('ArrowLeft');
    expect(shown()).toBe('One');
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
    vi.useRealTimers();
    await arriveAt(`/user/${arun._id}`);
  });

  it('do nothing while the menu is open', async () => {
    await open();
    act(() => toggle(document.querySelector('details') as HTMLDetailsElement, true));
    press('ArrowRight');
    expect(shown()).toBe('One');
  });
});

describe('names for screen readers', () => {
  it('say whose story it is, which of how many, and what each button does', async () => {
    await open();
    screen.getByRole('dialog', { name: /Stories of .*arun/ });
    screen.getByText('Story 1 of 3');
    for (const name of ['Previous story', 'Next story', 'Pause', 'Close'])
      screen.getByRole('button', { name });
    expect(picture().alt).toContain('One');
    fireEvent.click(screen.getByRole('button', { name: 'Next story' }));
    screen.getByText('Story 2 of 3');
  });
});

describe('the picture of the next story', () => {
  it('is loaded while the one before is shown', async () => {
    await open();
    const sources = [...document.querySelectorAll('dialog img[loading=eager]')].map((one) =>
      one.getAttribute('src'),
    );
    expect(sources).toEqual(expect.arrayContaining(['/media/p1/photo.jpg', '/media/p2/photo.jpg']));
    expect(sources).not.toContain('/media/p3/photo.jpg');
  });
});

describe('a story that is gone meanwhile', () => {
  it('goes on to the next if its picture was deleted', async () => {
    await open();
    fireEvent.error(picture());
    expect(shown()).toBe('Two');
  });

  it('goes on to the next if the server does not list it any more, whatever the time of the device is', async () => {
    const stories = storiesOf('One', 'Two', 'Three').map((one) => ({
      ...one,
      createdAt: '2020-01-01T00:00:00Z',
    }));
    const { on } = await open({ stories });
    on(getFriendStories, { data: stories.slice(1).toReversed(), nextCursor: null });
    await arriveAndAsk();
    expect(shown()).toBe('Two');
    await arriveAndAsk();
    expect(shown()).toBe('Two');
  });

  it('closes the viewer if it was the last one', async () => {
    const { on } = await open({ texts: ['One'] });
    on(getFriendStories, { data: [], nextCursor: null });
    await arriveAndAsk();
    vi.useRealTimers();
    await arriveAt(`/user/${arun._id}`);
  });
});

describe('an own story', () => {
  it('says how many people saw it, and does not count its owner', async () => {
    const own = storiesOf('Mine').map((one) => ({ ...one, userId: zoya._id, username: 'zoya', seenBy: 3 }));
    const { askedOf } = await open({ stories: own, viewer: zoya, owner: zoya._id });
    screen.getByText('Seen by 3 people');
    await arriveAndAsk();
    expect(askedOf(markStorySeen)).toEqual([]);
  });
});
