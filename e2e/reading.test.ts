import { describe, expect, it } from 'vitest';
import { payerFields } from '#contract/payout-file.ts';
import { sharedSite } from '#testing/browser/site.ts';
import { arrive, visit } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';
import { browserStorage } from '#web/browser-storage.ts';
import privacy from '#web/messages/privacy/en.json';

const site = sharedSite();

describe('static pages (specification §2, §9)', () => {
  it('/About opens at its top, with four reasons to choose us and who we are [long]', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/');
    await page.evaluate(() => window.scrollTo(0, 600));
    await page.locator('footer').getByRole('link', { name: 'About Us' }).click();
    await page.getByRole('heading', { name: 'Why choose us' }).waitFor();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect
      .poll(() => page.locator('main h3').allTextContents())
      .toEqual([
        'Earn by watching videos',
        'Earn by uploading videos',
        'Withdraw from ₹1 or more',
        'Watch by category',
        'Ishan Verma',
        'Kavya Menon',
        'Rohan Das',
      ]);
    await page.getByText("You can't withdraw activity coins yet.").waitFor();
    await leave();
  });

  it('/PrivacyPolicy has 9 sections, its date, the required statements, and what this server stores: by its date, every name of the browser and every column for the payer', async () => {
    const { page, leave } = await site.open();
    const today = () =>
      new Intl.DateTimeFormat('en-IN', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        timeZone: 'Asia/Kolkata',
      }).format(new Date());
    const before = today();
    await visit(page, '/PrivacyPolicy');
    expect(await page.locator('main h2').count()).toBe(10);
    expect(await page.locator('main h2').last().textContent()).toBe('What this server stores');
    for (const words of [
      'Last updated: 1 Aug 2025',
      'not for people under 13',
      'Account deletion is available',
      'Notification opt-out is available',
      'after 30 days without use',
      'Your email address is not public',
      'The links in mails, only as hashes that open nothing: 1 hour',
      'Visits are not counted',
      'The network of your last request: 60 minutes, in memory only',
      'nobody is shown your email address',
      'A video that was fetched by its link without a login: 1 hour.',
      'What you write in the contact and feedback forms: 400 days.',
      'Until you log out or close the tab.',
    ])
      expect(await page.locator('main').innerText()).toContain(words);

    const stored = page.locator('#stored');
    // Midnight may have passed since the page was made.
    expect([before, today()]).toContain(/As of (.+?)\./.exec(await stored.innerText())?.[1]);
    expect(await stored.locator('code').allTextContents()).toEqual(
      browserStorage.flatMap(({ names }) => names),
    );
    const payer = stored.locator(`h3:text-is("${privacy['privacy.stored.payer']}") ~ ul`).first();
    expect(await payer.locator('li').allTextContents()).toEqual(
      payerFields.map((field) => privacy[`privacy.payer.${field}`]),
    );
    await leave();
  });

  it('/PrivacyPolicy names everything that a browser stores while a person logs in, watches, writes and publishes [long]', async () => {
    const person = await signUpAt(site.origin, 'reading.nadia');
    const { page, leave } = await site.open({ serviceWorkers: 'allow' });
    await visit(page, '/LoginEmail');
    await page.getByLabel('Email').fill(person.user.email);
    await page.getByLabel('Password', { exact: true }).fill('a long password');
    await page.locator('main').getByRole('button', { name: 'Login' }).click();
    await arrive(page, '**/UserProfile');
    await visit(page, '/AllUsers?lang=en');
    await visit(page, '/Activity');
    await visit(page, '/Contact');
    await page.getByLabel('Message').fill('Not sent yet');
    await visit(page, `/videoplayer?reel=${site.reel}`);
    await page.locator('.clip:not([inert]) video').waitFor();
    await page.keyboard.press('m');
    await visit(page, '/EarningHistory');
    await visit(page, '/PhotoPost');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'photo.svg.png',
        mimeType: 'image/png',
        buffer: await page.screenshot(),
      });
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Everyone can see it now.').waitFor();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await expect.poll(() => page.evaluate(() => caches.keys())).toContain('jhalak-offline-1');
    await page.locator('footer').getByRole('link', { name: 'Privacy & Policy' }).click();
    await page.getByRole('heading', { name: 'What this server stores' }).waitFor();
    const named = (await page.locator('#stored code').allTextContents()).map((name) => name.replace('…', ''));
    const kept = () =>
      page.evaluate(async () => [
        ...Object.keys(localStorage),
        ...Object.keys(sessionStorage),
        ...(await caches.keys()),
        ...(await indexedDB.databases()).map(({ name }) => name ?? ''),
      ]);
    for (const name of ['authToken', 'jhalak.kept.people', `jhalak.draft.contact.${person.id}`])
      await expect.poll(kept).toContain(name);
    const keptHere = await kept();
    const cookies = (await page.context().cookies()).map(({ name }) => name);
    expect(cookies.toSorted()).toEqual(['device', 'lang']);
    expect([...keptHere, ...cookies].filter((name) => !named.some((one) => name.startsWith(one)))).toEqual(
      [],
    );
    await leave();
  });

  it('/EarningInfo shows every rate and an example that adds up, and its arrow leads to the previous page', async () => {
    const { page, leave } = await site.open();
    await visit(page, '/ShowPosts');
    await page.locator('footer').getByRole('link', { name: 'Earning Guide' }).click();
    await page.getByRole('heading', { name: 'How to Earn' }).waitFor();
    const words = await page.locator('main').innerText();
    for (const rate of [
      '500 coins = ₹1',
      '5,000 activity coins = ₹1',
      'Upload 50 short videos and 30 pictures',
      '1 hour daily activity',
      'No policy violation or sexual content',
      'Fan pages allowed',
      "You can't withdraw activity coins yet.",
      'Minimum withdraw amount: ₹1 or above.',
    ])
      expect(words).toContain(rate);
    const example = page.getByRole('table', { name: 'Example of one month' });
    expect(await example.locator('tr').evaluateAll((rows) => rows.map((row) => row.textContent))).toEqual([
      'ForCoins',
      '50 reels250 coins',
      '30 photo posts60 coins',
      '20 stories20 coins',
      '12,345 views1,234 coins',
      '987 likes98 coins',
      "That month's coins1,662 coins",
      'In rupees₹3.32',
    ]);
    expect((await page.locator('main > div').boundingBox())?.width).toBeLessThanOrEqual(600);
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await arrive(page, '/ShowPosts');
    await visit(page, '/EarningInfo');
    await page.getByRole('link', { name: 'Back', exact: true }).click();
    await arrive(page, '/');
    await leave();
  });

  it.each([
    [
      'en',
      [
        /A watched view must be reported within 10 minutes of its showing/,
        /Showings of one viewer above 60 a minute do not count/,
        /Older apps do not report views: until DATE, .+ between 5 seconds and 10 minutes later/,
      ],
    ],
    [
      'hi',
      [
        /देखे गए व्यू की सूचना रील दिखने के 10 मिनट के भीतर/,
        /एक मिनट में किसी दर्शक को 60 से ज़्यादा बार रील दिखे, तो बाकी बार नहीं गिनी जाती/,
        /पुराने ऐप .+ DATE तक .+ कम से कम 5 सेकंड और ज़्यादा से ज़्यादा 10 मिनट बाद/,
      ],
    ],
  ])(
    '/EarningInfo says in %s by when a view must be reported, how many showings count, and until when older apps count [long]',
    async (lang, sentences) => {
      const { page, leave } = await site.open();
      await visit(page, `/EarningInfo?lang=${lang}`);
      const { watching } = await (await fetch(`${site.origin}/api/config`)).json();
      const format = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'Asia/Kolkata' } as const;
      const until = new Intl.DateTimeFormat(`${lang}-IN`, format).format(new Date(watching.olderAppsUntil));
      await page.locator('section[aria-labelledby="earning-rules"] summary').click();
      const rules = await page.locator('section[aria-labelledby="earning-rules"] li').allInnerTexts();
      for (const sentence of sentences)
        expect(rules.map((rule) => rule.replace(until, 'DATE'))).toContainEqual(
          expect.stringMatching(sentence),
        );
      await leave();
    },
  );

  it('/DownloadApp shows 8 existing screenshots and links to both stores [long]', async () => {
    const { page, complaints, leave } = await site.open({ viewport: { width: 1280, height: 2600 } });
    await visit(page, '/DownloadApp');
    const widths = () =>
      page
        .locator('main figure img')
        .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth));
    await expect.poll(widths).toEqual(Array.from({ length: 8 }, () => 390));
    expect(await page.locator('main').getByRole('link').count()).toBe(2);
    const code = page.getByRole('figure').filter({ hasText: 'Scan with your phone to get the app.' });
    await code.getByRole('img').locator('svg').waitFor();
    expect(complaints).toEqual([]);
    await leave();
  });
});
