import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violationsOf } from '#testing/browser/axe.ts';
import { furnishedSite } from '#testing/browser/site.ts';
import { arrive, noteShifts, shiftsOf, type VisitorOptions, visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';
import { contextOn } from '#testing/context.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { giveReels } from '#testing/fixtures/reel-copies.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import english from '#web/messages/en.json';
import hindi from '#web/messages/hi.json';
import menu from '#web/messages/playlist/en.json';
import menuInHindi from '#web/messages/playlist/hi.json';
import taste from '#web/messages/taste/en.json';
import tasteInHindi from '#web/messages/taste/hi.json';

const site = furnishedSite();
const phone = { width: 390, height: 844 };
let asha: Client;
/** Ids of asha's reels. Those who watch the first one watch the second one next. */
let dances: string[];

beforeAll(async () => {
  asha = await signUpAt(site.origin, 'asha.dances');
  const bela = await signUpAt(site.origin, 'bela.draws');
  await giveReels(site, bela.id, ['Rangoli at night', 'Rangoli at noon', 'Rangoli at dawn']);
  dances = await giveReels(site, asha.id, ['Garba in the street', 'Bhangra on the roof', 'Kathak in rain']);
  await changeWorks(site.db, (trx) =>
    trx
      .updateTable('reels')
      .set({ categories: ['dance'] })
      .where('id', 'in', dances)
      .execute(),
  );
  const [reel_id = '', next_id = ''] = dances;
  await site.db.insertInto('next_reels').values({ reel_id, next_id, weight: 1, people: 5 }).execute();
});

const wordsIn = {
  en: { ...english, ...taste, ...menu },
  hi: { ...hindi, ...tasteInHindi, ...menuInHindi },
};
const languages = [
  ['English', 'en'],
  ['Hindi [long]', 'hi'],
] as const;

const open = (options: VisitorOptions = {}) => site.open({ viewport: phone, ...options });
const signedIn = async (username: string) => {
  const person = await signUpAt(site.origin, username);
  return { person, options: { person: { token: person.token, user: person.user } } };
};
/** A message with its values, none of which reads from right to left. */
const said = (words: string, values: Record<string, string>) =>
  Object.entries(values).reduce((all, [name, value]) => all.replace(`{${name}}`, value), words);
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });
const tiles = (page: Page) => page.locator('a[href^="/videoplayer?reel="]');
const listed = (page: Page) => tiles(page).evaluateAll((all) => all.map((one) => one.getAttribute('href')));
const reelOf = (page: Page) => new URL(page.url()).searchParams.get('reel');
const isSelected = async (page: Page, name: string) =>
  expect.poll(() => tab(page, name).getAttribute('aria-selected')).toBe('true');

/** Watches a reel to its end, in this visit. */
async function watch(page: Page, id: string): Promise<void> {
  await visit(page, `/videoplayer?reel=${id}`);
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('visit')))
    .toContain(JSON.stringify({ _id: id, toEnd: true }));
}

describe.each(languages)('For you, in %s', (_, lang) => {
  const words = wordsIn[lang];

  it('shows a reason for each reel on Home and in the player, and leaves out muted and unwanted reels', async () => {
    const { page, complaints, leave } = await open({ locale: lang });
    const [watched = '', next = ''] = dances;
    await noteShifts(page);
    await watch(page, watched);
    await visit(page, '/');
    await isSelected(page, words['tab.newest']);
    const top = () =>
      tiles(page)
        .first()
        .evaluate((tile) => tile.getBoundingClientRect().top);
    const before = await top();
    expect(before).toBeLessThanOrEqual(340);
    await tab(page, words['tab.forYou']).click();
    const why = said(words['why.watched'], { caption: 'Garba in the street' });
    const tile = page.getByRole('link', { name: why });
    await tile.waitFor();
    expect(await tile.getAttribute('href')).toBe(`/videoplayer?reel=${next}`);
    expect(await top()).toBe(before);
    expect(await shiftsOf(page)).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);

    await tile.click();
    await arrive(page, `/videoplayer?reel=${next}`);
    await page.locator('.player-why').getByText(why).waitFor();
    await isSelected(page, words['tab.forYou']);
    expect(await violationsOf(page)).toEqual([]);

    const chooseInMenu = async (name: string) => {
      await page.locator(`summary[aria-label="${lang === 'en' ? 'More' : 'और'}"]`).click();
      await page.getByRole('button', { name, exact: true }).click();
    };
    await chooseInMenu(words['player.notInterested']);
    await expect.poll(() => reelOf(page)).not.toBe(next);
    await page.getByRole('button', { name: words['player.undo'] }).click();
    await expect.poll(() => reelOf(page)).toBe(next);
    await chooseInMenu(said(words['player.mutePerson'], { username: 'asha.dances' }));
    await expect.poll(() => reelOf(page)).not.toBe(next);

    // At once on Home too, whose list was made before.
    await page.goBack();
    await arrive(page, '/?tab=forYou');
    await tiles(page).first().waitFor();
    const shown = await listed(page);
    for (const id of dances) expect(shown).not.toContain(`/videoplayer?reel=${id}`);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('is chosen in the player, as Newest is; Following asks a visitor to log in [long]', async () => {
    const { page, complaints, leave } = await open({ locale: lang });
    const [reel = ''] = dances;
    await visit(page, `/videoplayer?reel=${reel}`);
    await isSelected(page, words['tab.newest']);
    await tab(page, words['tab.following']).click();
    await page.getByText(words['following.logIn']).waitFor();
    await isSelected(page, words['tab.following']);
    expect(await violationsOf(page)).toEqual([]);
    // A move goes on with the list before.
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.getByText(words['following.logIn']).count()).toBe(0);
    expect(reelOf(page)).toBe(reel);
    await tab(page, words['tab.forYou']).click();
    await isSelected(page, words['tab.forYou']);
    await page.locator('.player-why').waitFor();
    await expect.poll(() => reelOf(page)).not.toBe(reel);
    await tab(page, words['tab.newest']).click();
    await isSelected(page, words['tab.newest']);
    await expect.poll(() => page.locator('.player-why').count()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('stores a taste once an adult has switched it on, shows it in Settings, and deletes it [long]', async () => {
    const { person, options } = await signedIn(`taste.of.${lang}`);
    const { page, complaints, leave } = await open({ locale: lang, ...options });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });
    const kept = async () =>
      (
        await site.db
          .selectFrom('taste_watches')
          .select('reel_id')
          .where('person_id', '=', person.id)
          .execute()
      ).length;
    // It is sent once the page knows that it may be.
    const watchAndSend = async (id: string) => {
      const known = page.waitForResponse((response) => response.url().endsWith('/api/taste'));
      await watch(page, id);
      await (await known).finished();
    };
    const [first = '', second = ''] = dances;
    await watch(page, first);
    await visit(page, '/Settings#taste');
    await button(words['taste.switchOn']).click();
    await page.getByText(words['taste.adultNeeded']).waitFor();
    await page.getByRole('checkbox', { name: words['taste.adult'] }).check();
    await button(words['taste.switchOn']).click();
    await page.getByText(words['taste.isOn']).waitFor();
    // What was watched before is not sent.
    expect(await kept()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    await page.evaluate(() => sessionStorage.removeItem('visit'));
    await watchAndSend(first);
    await watchAndSend(second);
    await visit(page, '/Settings#taste');
    await expect.poll(kept).toBe(2);
    await page.reload();
    await page.getByText(words['taste.categories']).waitFor();
    await page.getByText('100%').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    const forget = said(words['taste.forgetThis'], {
      username: 'asha.dances',
      caption: 'Garba in the street',
    });
    await button(forget).click();
    await expect.poll(kept).toBe(1);
    await button(words['taste.switchOff']).click();
    await inDialog(words['taste.switchOff']).click();
    await button(words['taste.switchOn']).waitFor();
    expect(await kept()).toBe(0);
    expect(complaints).toEqual([]);
    await leave();
  });
});

describe('the ranked list', () => {
  it('stays the same while others publish, until its tab is pressed again [long]', async () => {
    const { page, leave } = await open();
    let ranked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/feed/forYou')) ranked += 1;
    });
    await visit(page, '/?tab=forYou');
    await tiles(page).first().waitFor();
    const before = await listed(page);
    const [published = ''] = await giveReels(site, asha.id, ['Fresh from the stage']);
    await tiles(page).nth(1).click();
    await arrive(page, /\/videoplayer/);
    await page.goBack();
    await arrive(page, '/?tab=forYou');
    await expect.poll(() => listed(page)).toEqual(before);
    await tab(page, 'Newest').click();
    await page.getByRole('region', { name: 'Fresh reels' }).waitFor();
    await tab(page, 'For you').click();
    await expect.poll(() => listed(page)).toEqual(before);
    expect(ranked).toBe(1);
    await tab(page, 'For you').click();
    await page.locator(`a[href$="${published}"]`).waitFor();
    expect(ranked).toBe(2);
    await leave();
  });
});

describe('Following', () => {
  it('ends after the last reel of the people that one follows, and links to people if one follows nobody [long]', async () => {
    const { person, options } = await signedIn('follows.asha');
    const { page, leave } = await open(options);
    await visit(page, '/?tab=following');
    await page.getByRole('link', { name: 'Find people' }).waitFor();
    await follow(contextOn(site.db), person.id, asha.id);
    await tab(page, 'Following').click();
    await page.getByText("You've seen all reels of the people you follow.").waitFor();
    const shown = await listed(page);
    expect(shown.length).toBeGreaterThanOrEqual(dances.length);
    for (const text of await tiles(page).allTextContents()) expect(text).toContain('@asha.dances');
    // The player stays in that list.
    await tiles(page).last().click();
    await arrive(page, /\/videoplayer/);
    await isSelected(page, 'Following');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => `/videoplayer?reel=${reelOf(page)}`).toBe(shown[0]);
    await leave();
  });
});

describe('the tabs', () => {
  it('work by keyboard alone, on Home and in the player, where the chosen one keeps the focus [long]', async () => {
    const { page, leave } = await open();
    await visit(page, '/');
    await tab(page, 'Newest').focus();
    await page.keyboard.press('ArrowRight');
    await isSelected(page, 'For you');
    const why = page.getByRole('link', { name: 'Why these?' });
    await why.waitFor();
    await page.keyboard.press('Tab');
    // The next stop after the tabs.
    await expect.poll(() => why.evaluate((link) => link === document.activeElement)).toBe(true);
    await visit(page, '/videoplayer');
    await tab(page, 'Newest').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await isSelected(page, 'For you');
    await expect
      .poll(() => tab(page, 'For you').evaluate((one) => one === document.activeElement))
      .toBe(true);
    await leave();
  });

  it('open Home with the one that the device has chosen, without showing another one first', async () => {
    const { page, leave } = await open();
    await page.addInitScript(() => localStorage.setItem('home.tab', 'forYou'));
    await page.goto('/', { waitUntil: 'commit' });
    const newest = page.getByRole('region', { name: 'Fresh reels' });
    const seen = await newest.evaluateAll((all) =>
      all.map((one) => one.checkVisibility({ visibilityProperty: true })),
    );
    expect(seen).not.toContain(true);
    await isSelected(page, 'For you');
    await page.getByRole('region', { name: 'For you' }).waitFor();
    await leave();
  });

  it('are not there without a script; Home is Newest', async () => {
    const { page, leave } = await open({ javaScriptEnabled: false });
    for (const path of ['/', '/?tab=forYou']) {
      await page.goto(path);
      expect(await page.getByRole('tab').count()).toBe(0);
      await page.locator(`a[href$="${dances[2]}"]`).waitFor();
    }
    await leave();
  });
});
