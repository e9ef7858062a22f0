import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { follow } from '../server/features/people/people.ts';
import type { Tables } from '../server/platform/database/tables.ts';
import { type Client, signUpAt } from '../testing/api-client.ts';
import { openBrowser } from '../testing/browser.ts';
import { makeClip } from '../testing/clips.ts';
import { dataFolder, type Program, startProgram } from '../testing/program.ts';
import { databaseOf, publishPicture } from '../testing/society.ts';
import { openVisitor, visit } from '../testing/visitor.ts';

let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
let browser: Browser;
let db: Kysely<Tables>;
let creator: Client;
let fan: Client;

beforeAll(async () => {
  data = await dataFolder();
  [program, browser] = await Promise.all([startProgram({ DATA_DIR: data.path }), openBrowser()]);
  creator = await signUpAt(program.origin, 'zoya');
  fan = await signUpAt(program.origin, 'farid');
  db = await databaseOf(data.path);
  const now = Date.now();
  for (const [place, caption] of ['The older photo', 'The newer photo'].entries())
    await publishPicture(db, data.path, creator.id, caption, new Date(now + place * 1000));
  const clip = join(data.path, 'clip.mp4');
  await makeClip(clip, { seconds: 2, source: 'testsrc2=size=270x480:rate=25' });
  await creator.publish(clip, 'A glimpse of zoya');
  await follow(db, fan.id, creator.id, new Date());
});
afterAll(async () => {
  await db?.destroy();
  await browser?.close();
  await program?.stop();
  await data?.remove();
});

const open = (options: Parameters<typeof openVisitor>[2] = {}) =>
  openVisitor(browser, program.origin, options);
const dialog = (page: Page) => page.getByRole('dialog');

describe('the banner of Home (specification §2, §9)', () => {
  const shown = (page: Page) =>
    page.locator('[aria-roledescription=slide]:not([inert])').getAttribute('aria-label');
  const banner = (page: Page) => page.locator('[aria-roledescription=carousel]');

  it('has 5 slides and moves on every 3 seconds, round and round', async () => {
    const { page, leave } = await open();
    await page.clock.install();
    await visit(page, '/');
    expect(await page.locator('[aria-roledescription=slide]').count()).toBe(5);
    // From here on time stands still unless it is told to run.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.getByRole('button', { name: 'Show slide 1 of 5' }).click();
    await page.mouse.move(5, 5);
    const before = (await shown(page)) ?? '';
    const places = ['1 of 5', '2 of 5', '3 of 5', '4 of 5', '5 of 5'];
    expect(before).toBe('1 of 5');
    for (let step = 1; step <= 5; step += 1) {
      await page.clock.runFor(2900);
      expect(await shown(page)).toBe(places[(step - 1) % 5]);
      await page.clock.runFor(200);
      await expect.poll(() => shown(page)).toBe(places[step % 5]);
    }
    await leave();
  });

  it('stands still while pointed at, focused or touched, when switched off, and for who wants no motion', async () => {
    const { page, leave } = await open();
    await page.clock.install();
    await visit(page, '/');
    await banner(page).hover();
    await page.clock.runFor(10_000);
    expect(await shown(page)).toBe('1 of 5');
    await page.mouse.move(5, 5);
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Start watching' }).focus();
    await page.keyboard.press('Tab');
    await page.clock.runFor(10_000);
    expect(await shown(page)).toBe('1 of 5');
    await page.getByRole('button', { name: 'Stop the slides' }).click();
    await page.mouse.move(5, 5);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.clock.runFor(10_000);
    expect(await shown(page)).toBe('1 of 5');
    await leave();

    const quiet = await open({ reducedMotion: 'reduce' });
    await quiet.page.clock.install();
    await visit(quiet.page, '/');
    await quiet.page.clock.runFor(10_000);
    expect(await shown(quiet.page)).toBe('1 of 5');
    await quiet.leave();
  });

  it('goes where a dot, an arrow key or a swipe of 50 pixels says, and back under 50', async () => {
    const { page, leave } = await open({ reducedMotion: 'reduce' });
    await visit(page, '/');
    await page.getByRole('button', { name: 'Show slide 4 of 5' }).click();
    expect(await shown(page)).toBe('4 of 5');
    await page.keyboard.press('ArrowRight');
    expect(await shown(page)).toBe('5 of 5');
    await page.keyboard.press('ArrowRight');
    expect(await shown(page)).toBe('1 of 5');
    const box = await banner(page).boundingBox();
    const swipe = async (by: number) => {
      const [x, y] = [(box?.x ?? 0) + 300, (box?.y ?? 0) + 60];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + by / 2, y, { steps: 3 });
      await page.mouse.move(x + by, y, { steps: 3 });
      await page.mouse.up();
    };
    await swipe(-49);
    expect(await shown(page)).toBe('1 of 5');
    await swipe(-50);
    expect(await shown(page)).toBe('2 of 5');
    await swipe(60);
    expect(await shown(page)).toBe('1 of 5');
    await leave();
  });

  it('shows 6 placeholders while the reels are on their way, and the four figures', async () => {
    const { page, leave } = await open();
    await visit(page, '/About');
    await page.route('**/api/reel/getallReels**', () => undefined);
    await page.getByRole('link', { name: /home/ }).first().click();
    const waiting = page.getByRole('status', { name: 'Loading reels' });
    await waiting.waitFor();
    expect(await waiting.locator('> *').count()).toBe(6);
    const figures = await page.locator('dl dd').allTextContents();
    expect(figures).toEqual(['2.5k+', '1.8K+', '40+', '10k+']);
    await leave();
  });
});

describe('/Category (specification §2)', () => {
  it('shows 42 categories under five headings, and leads to the app', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, '/Category');
    expect(await page.locator('main h2').allTextContents()).toEqual([
      'Boys',
      'Girls',
      'Common',
      'Trips, learning, enjoy',
      'Reel category update',
    ]);
    expect(await page.locator('main li button').count()).toBe(42);
    await page.getByRole('button', { name: /^Kabaddi/ }).click();
    await dialog(page).getByText('Please download the app to watch the Kabaddi videos.').waitFor();
    await dialog(page)
      .getByRole('img', { name: /QR code/ })
      .waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator(':focus').textContent()).toContain('Kabaddi');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('on a phone shows the stores without a code', async () => {
    const { page, leave } = await open({ viewport: { width: 390, height: 844 } });
    await visit(page, '/Category');
    await page.getByRole('button', { name: /^Dance/ }).click();
    await dialog(page).getByRole('link', { name: 'Get it on Google Play' }).waitFor();
    expect(
      await dialog(page)
        .getByRole('img', { name: /QR code/ })
        .isVisible(),
    ).toBe(false);
    await leave();
  });
});

describe('/ShowPosts (specification §2, §8)', () => {
  it('shows all posts, newest first, and a picture larger by a press, Escape closing it', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, '/ShowPosts');
    expect(await page.locator('article h2').allTextContents()).toEqual([
      'The newer photo',
      'The older photo',
    ]);
    const zoom = page.getByRole('button', { name: 'Look closer at the photo by zoya' }).first();
    await zoom.focus();
    await page.keyboard.press('Enter');
    const large = page.locator('.yarl__root');
    await large.waitFor();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect
      .poll(() =>
        large
          .locator('.yarl__slide_image')
          .first()
          .evaluate((one) => one.getBoundingClientRect().width),
      )
      .toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => large.count()).toBe(0);
    await expect.poll(() => zoom.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('has buttons for like, comment and share that do nothing but say where they do', async () => {
    const { page, leave } = await open();
    await visit(page, '/ShowPosts');
    for (const [name, words] of [
      [/^Like/, 'Liking happens in the Jhalak app.'],
      ['Comment', 'Commenting happens in the Jhalak app.'],
      ['Share', 'Sharing happens in the Jhalak app.'],
    ] as const) {
      const button = page.getByRole('button', { name }).first();
      expect(await button.getAttribute('aria-disabled')).toBe('true');
      await button.click({ force: true });
      await page.getByText(words).first().waitFor();
    }
    await leave();
  });

  it('shows 4 placeholders, then the error and a way to ask again', async () => {
    const { page, leave } = await open();
    await visit(page, '/About');
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/post/getallPostsall**', async (route) => {
      await asked;
      await route.fulfill({
        status: 429,
        json: {
          status: 'error',
          error: 'Too many requests.',
          message: 'Too many requests.',
          code: 'too_many_requests',
          requestId: 'x',
        },
      });
    });
    await page.getByRole('link', { name: 'Posts' }).first().click();
    const waiting = page.getByRole('status', { name: 'Loading posts' });
    await waiting.waitFor();
    expect(await waiting.locator('> *').count()).toBe(4);
    answer();
    await page.getByText('Error: Too many requests.').waitFor();
    await page.unroute('**/api/post/getallPostsall**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'The newer photo' }).waitFor();
    await leave();
  });
});

describe('/AllUsers (specification §2, §4)', () => {
  it('finds by name or username, says when there is nobody, and hands the username on', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, '/AllUsers');
    await page.getByLabel('Search by name or username').fill('nobody at all');
    await page.getByRole('heading', { name: 'No users found' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('nobody at all');
    await page.getByLabel('Search by name or username').fill('ZOY');
    await page.getByRole('link', { name: /zoya/ }).click();
    await page.waitForURL(`/user/${creator.id}`);
    expect(await page.evaluate(() => history.state?.usr?.username)).toBe('zoya');
    await page.goBack();
    expect(await page.getByLabel('Search by name or username').inputValue()).toBe('ZOY');
    expect(complaints).toEqual([]);
    await leave();
  });

  it('keeps the list in local storage, shows it at once on the next visit and refreshes it', async () => {
    const { page, leave } = await open();
    await visit(page, '/AllUsers');
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem('jhalak.kept.people')))
      .toContain('farid');
    await visit(page, '/About');
    let asked = 0;
    await page.route('**/api/getallUser**', () => {
      asked += 1;
    });
    await page.getByRole('link', { name: 'All Users' }).first().click();
    await page.getByRole('link', { name: /farid/ }).waitFor();
    await expect.poll(() => asked).toBe(1);
    await leave();
  });

  it('answers a search without any script', async () => {
    const { page, leave } = await open({ javaScriptEnabled: false });
    await page.goto('/AllUsers');
    await page.getByRole('searchbox').fill('farid');
    await page.keyboard.press('Enter');
    await page.waitForURL('/AllUsers?q=farid');
    expect(await page.locator('a[href^="/user/"]').count()).toBe(1);
    await leave();
  });
});

describe('/user/{id} (specification §2)', () => {
  it('counts reels and posts together, keeps its tab in the address, previews what is pressed', async () => {
    const { page, complaints, leave } = await open();
    await visit(page, `/user/${creator.id}`);
    expect(await page.locator('header dl dd').allTextContents()).toEqual(['3', '1', '0']);
    await page.getByRole('button', { name: 'Preview the reel A glimpse of zoya' }).click();
    await dialog(page).locator('video').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Reels' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(`/user/${creator.id}?tab=posts`);
    await page.getByRole('button', { name: 'Preview the photo The newer photo' }).click();
    await dialog(page).getByRole('img').waitFor();
    await page.keyboard.press('ArrowRight');
    await dialog(page).getByRole('heading', { name: 'The older photo' }).waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });

  it.each(['018f0000-0000-7000-8000-000000000000', 'nobody'])(
    'of %s says User not found, with status 404',
    async (id) => {
      const response = await fetch(`${program.origin}/user/${id}`);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('User not found');
    },
  );

  it('of somebody without posts says so', async () => {
    const html = await (await fetch(`${program.origin}/user/${fan.id}?tab=posts`)).text();
    expect(html).toContain('No posts yet');
  });
});

describe('the bell and /Activity (specification §2, §9)', () => {
  it('asks a visitor to log in', async () => {
    const { page, leave } = await open();
    await visit(page, '/Activity');
    await page.getByText('Log in to see who liked, commented and followed.').waitFor();
    await leave();
  });

  it("counts what is unread up to '99+', and opening the page reads it all in every tab", async () => {
    const star = await signUpAt(program.origin, 'star');
    const fans = Array.from({ length: 104 }, (_, place) => place);
    const now = Date.now();
    for (const place of fans) {
      const sender = place === 0 ? fan.id : await addPerson(`crowd${place}`);
      await follow(db, sender, star.id, new Date(now + place * 1000));
    }
    const { page, leave } = await open({ person: star });
    await visit(page, '/About');
    const bell = page.locator('header a[href="/Activity"]');
    await expect.poll(() => bell.textContent()).toBe('99+');
    expect(await bell.getAttribute('aria-label')).toBe('Notifications, 104 unread');
    const other = await page.context().newPage();
    await visit(other, '/Activity');
    await other.getByRole('heading', { name: 'Earlier Notifications' }).waitFor();
    const groups = other.locator('main section');
    expect(await groups.nth(0).getByRole('listitem').count()).toBe(3);
    expect(await groups.nth(1).getByRole('heading').textContent()).toBe('All Notifications');
    await other.getByText('crowd103 started following you').waitFor();
    await expect.poll(() => bell.textContent()).toBe('');
    await leave();
  });

  async function addPerson(username: string): Promise<string> {
    const { id } = await db
      .insertInto('people')
      .values({
        id: crypto.randomUUID(),
        name: username,
        username,
        username_key: username,
        email: `${username}@people.example`,
        email_key: `${username}@people.example`,
        password_hash: 'none',
        created_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }
});

describe('/Contact and /Feedback (specification §5, §8)', () => {
  it('asks for name, email and message; loses nothing on a reload; says that it was sent', async () => {
    const { page, leave } = await open();
    await visit(page, '/Contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Please fill in all required fields (Name, Email, Message).').waitFor();
    expect(await page.locator(':focus').getAttribute('name')).toBe('name');
    await page.getByLabel('Name').fill('Ravi');
    await page.getByLabel('Email').fill('ravi@people.example');
    await page.getByLabel('Message').fill('Where is my reel?');
    await page.reload();
    await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('Where is my reel?');
    await page.route('**/api/contact/contact', (route) => route.abort());
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Server error. Please try again later.').waitFor();
    await page.unroute('**/api/contact/contact');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent successfully!').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('');
    await leave();
  });

  it('says why the server would not take it', async () => {
    const { page, leave } = await open();
    await visit(page, '/Feedback');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.getByText('Please write some feedback before submitting!').waitFor();
    await page.getByLabel('Your feedback').fill('More kites');
    const refuse = (error: string) => ({
      status: 429,
      json: { status: 'error', error, message: error, code: 'too_many_requests', requestId: 'x' },
    });
    await page.route('**/api/feedback/feed', (route) => route.fulfill(refuse('Slow down.')));
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.getByText('Failed to send feedback: Slow down.').waitFor();
    await page.unroute('**/api/feedback/feed');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.getByText('Feedback submitted successfully!').waitFor();
    await leave();
  });

  it('knows who is signed in: name and email are filled in and locked', async () => {
    const { page, leave } = await open({ person: creator });
    await visit(page, '/Contact');
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('zoya@people.example');
    expect(await page.getByLabel('Name').getAttribute('readonly')).not.toBeNull();
    await page.getByLabel('Message').fill('From my account');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent successfully!').waitFor();
    const { person_id } = await db
      .selectFrom('messages')
      .select('person_id')
      .where('text', '=', 'From my account')
      .executeTakeFirstOrThrow();
    expect(person_id).toBe(creator.id);
    await leave();
  });
});

describe('pages to read (specification §2, §9)', () => {
  it('/About opens at its top and says why to choose us, in four items, and who we are', async () => {
    const { page, leave } = await open();
    await visit(page, '/');
    await page.evaluate(() => window.scrollTo(0, 600));
    await page.locator('footer').getByRole('link', { name: 'About Us' }).click();
    await page.getByRole('heading', { name: 'Why choose us' }).waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    expect(await page.locator('main h3').allTextContents()).toEqual([
      'Earn by watching videos',
      'Earn by uploading videos',
      'Withdraw from ₹1 or more',
      'Watch by category',
      'Ishan Verma',
      'Kavya Menon',
      'Rohan Das',
    ]);
    await leave();
  });

  it('/PrivacyPolicy has 9 sections, its date, and what must be said', async () => {
    const { page, leave } = await open();
    await visit(page, '/PrivacyPolicy');
    expect(await page.locator('main h2').count()).toBe(9);
    for (const words of [
      'Last updated: Aug 1, 2025',
      'not for people under 13',
      'Account deletion is available',
      'Notification opt-out is available',
    ])
      expect(await page.locator('main').innerText()).toContain(words);
    await leave();
  });

  it('/EarningInfo tells every rate, and its arrow goes to the page before', async () => {
    const { page, leave } = await open();
    await visit(page, '/ShowPosts');
    await page.locator('footer').getByRole('link', { name: 'Earning Guide' }).click();
    await page.getByRole('heading', { name: 'How to Earn' }).waitFor();
    const words = await page.locator('main').innerText();
    for (const rate of [
      '500 coins = ₹1',
      '5,000 activity coins = ₹1',
      'Upload 50 short videos and 30 pictures',
      '1,620 coins in that month: ₹3.24',
    ])
      expect(words).toContain(rate);
    expect((await page.locator('main > div').boundingBox())?.width).toBeLessThanOrEqual(600);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await page.waitForURL('/ShowPosts');
    await visit(page, '/EarningInfo');
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await leave();
  });

  it('/DownloadApp shows 8 screenshots that are there, and both stores', async () => {
    const { page, complaints, leave } = await open({ viewport: { width: 1280, height: 2600 } });
    await visit(page, '/DownloadApp');
    const widths = await page
      .locator('main figure img')
      .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
    expect(widths).toEqual(Array.from({ length: 8 }, () => 390));
    expect(await page.locator('main').getByRole('link').count()).toBe(2);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('the header (specification §2)', () => {
  it('shrinks after 80 pixels and opens More by keyboard', async () => {
    const { page, leave } = await open({ viewport: { width: 1280, height: 500 } });
    await visit(page, '/PrivacyPolicy');
    const bar = page.locator('header > div').first();
    const height = async () => (await bar.boundingBox())?.height ?? 0;
    const tall = await height();
    await page.evaluate(() => window.scrollTo(0, 80));
    expect(await height()).toBe(tall);
    await page.evaluate(() => window.scrollTo(0, 81));
    await expect.poll(height).toBeLessThan(tall);
    await page.getByText('More', { exact: true }).focus();
    await page.keyboard.press('Enter');
    const menu = page.locator('header details[open]').first();
    expect((await menu.getByRole('link').allTextContents()).slice(0, 5)).toEqual([
      'Earning Guide',
      'Privacy & Policy',
      'Contact Us',
      'Feedback',
      'About Us',
    ]);
    await leave();
  });
});

describe('languages', () => {
  it('follow the browser, are chosen by an address, and the choice stays', async () => {
    const { page, complaints, leave } = await open({ locale: 'hi-IN' });
    await visit(page, '/About');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('hi');
    await page.locator('footer').getByRole('link', { name: 'English' }).click();
    await page.waitForURL('/About?lang=en');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
      `${program.origin}/About?lang=en`,
    );
    await visit(page, '/Category');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    const alternates = await page
      .locator('link[rel=alternate]')
      .evaluateAll((all) => all.map((one) => `${one.getAttribute('hreflang')} ${one.getAttribute('href')}`));
    expect(alternates.toSorted()).toEqual([
      `en ${program.origin}/Category?lang=en`,
      `hi ${program.origin}/Category?lang=hi`,
      `x-default ${program.origin}/Category`,
    ]);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('without a network', () => {
  it('a bar says so on an open page; another page is stood in for and comes back by itself', async () => {
    const { page, leave } = await open({ serviceWorkers: 'allow' });
    await visit(page, '/About');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => caches.has('jhalak-offline-1'))).toBe(true);
    await page.context().setOffline(true);
    await page.getByText('You are offline. We try again as soon as you are back.').waitFor();
    await page.goto('/Category');
    await page.getByRole('heading', { name: 'You are offline' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Categories' }).waitFor();
    expect(page.url()).toBe(`${program.origin}/Category`);
    await leave();
  });
});
