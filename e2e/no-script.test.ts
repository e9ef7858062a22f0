import { describe, expect, it } from 'vitest';
import { sharedSite } from '#testing/browser/site.ts';
import { takenOver } from '#testing/browser/visitor.ts';
import { signUpAt } from '#testing/clients/api-client.ts';

const site = sharedSite();
const open = () => site.open({ javaScriptEnabled: false });

describe('without JavaScript', () => {
  it('the header has Login beside the menu, without the button for the theme, on a phone and on a desktop [long]', async () => {
    const { page, leave } = await open();
    await page.goto('/About');
    const header = page.locator('header');
    for (const width of [320, 390, 1280]) {
      await page.setViewportSize({ width, height: 700 });
      expect(await header.getByRole('button', { name: /theme/ }).count()).toBe(0);
      const login = await header.getByRole('link', { name: 'Login' }).boundingBox();
      const menu = await header.locator('summary').last().boundingBox();
      expect(login?.width).toBe(92);
      const end = (login?.x ?? 0) + (login?.width ?? 0);
      expect(end).toBeLessThanOrEqual(width < 1024 ? (menu?.x ?? 0) : width);
    }
    await leave();
  });

  it('sends a message once, confirms it, and does not resend it on reload', async () => {
    const { page, complaints, leave } = await open();
    await page.goto('/contact');
    await page.getByLabel('Name').fill('Asha');
    await page.getByLabel('Message').fill('Where is my reel?');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Please fill in all required fields (Name, Email, Message).').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('Where is my reel?');
    expect(complaints.splice(0).filter((one) => !one.includes('400'))).toEqual([]);
    await page.getByLabel('Email').fill('noscript.asha@people.example');
    await page.getByRole('button', { name: 'Send message' }).click();
    await page.getByText('Message sent successfully!').waitFor();
    expect(await page.getByLabel('Message').inputValue()).toBe('');
    await page.reload();
    await page.getByText('Message sent successfully!').waitFor();
    const sent = site.db
      .selectFrom('messages')
      .selectAll()
      .where('email', '=', 'noscript.asha@people.example');
    expect(await sent.execute()).toHaveLength(1);
    expect(complaints).toEqual([]);
    await leave();
  });

  it.each([
    ['a photo', () => `/post/${site.photo}`],
    ['a person', () => `/user/${site.creator.id}`],
  ])('leads from %s to the page that says how to report it', async (_what, path) => {
    const { page, leave } = await open();
    await page.goto(path());
    const report = page.getByRole('link', { name: 'Report', exact: true });
    const { x = 0, width = 0 } = (await report.boundingBox()) ?? {};
    expect(x + width).toBeLessThan(page.viewportSize()?.width ?? 0);
    expect(width).toBeGreaterThanOrEqual(44);
    await report.click();
    await page.waitForURL('**/Contact');
    // The driver finds no text in this element.
    const says = await page.locator('main noscript p').innerText();
    expect(says).toContain('write its web address and what is wrong');
    await leave();
  });

  it('signs a person up, and says that the login needs JavaScript', async () => {
    const { page, leave } = await open();
    await page.goto('/SignupForm');
    const fill = async (fields: Record<string, string>) => {
      for (const [label, value] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByRole('main').getByRole('button', { name: 'Sign up' }).click();
    };
    const secrets = { Password: 'a long password', 'Confirm password': 'a long password' };
    await fill({ Name: 'Ila', Username: 'i la', Email: 'nowhere', ...secrets });
    await page.getByText('Please enter a valid email address.').waitFor();
    await page.getByText('A username can have letters').waitFor();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ila');
    await fill({ Username: 'noscript.ila', Email: 'noscript.ila@people.example', ...secrets });
    await page.waitForURL('**/LoginEmail#created');
    await page.getByText('Account created successfully').waitFor();
    await page.getByText('Logging in needs JavaScript.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await leave();
  });

  it('opens a photo from the posts and from a profile, its neighbours and its author [long]', async () => {
    const { page, complaints, leave } = await open();
    await page.goto(`/user/${site.creator.id}?tab=posts`);
    await page.getByRole('link', { name: 'Preview the photo The older photo' }).click();
    await page.getByRole('article').getByText('The older photo', { exact: true }).waitFor();
    await page.getByRole('article').getByRole('img', { name: 'The older photo, a photo by zoya' }).waitFor();
    await page.getByRole('link', { name: 'Previous photo' }).click();
    await page.waitForURL(`/post/${site.photo}`);
    await page.getByRole('link', { name: 'Next photo' }).click();
    await page.getByRole('article').getByText('The older photo', { exact: true }).waitFor();
    expect(await page.getByRole('article').getByRole('button', { name: 'Share' }).isVisible()).toBe(false);
    const zoom = page.getByRole('article').getByRole('link', { name: 'Zoom in on the photo by zoya' });
    const picture = await page.request.get((await zoom.getAttribute('href')) ?? '');
    expect(picture.headers()['content-type']).toMatch(/^image\//);
    await page.getByRole('article').getByRole('link', { name: '@zoya' }).click();
    await page.waitForURL(`/user/${site.creator.id}`);
    await page.goto('/ShowPosts');
    await page
      .getByRole('link', { name: /^Zoom in on the photo by/ })
      .first()
      .click();
    await page.waitForURL(/\/post\//);
    expect(complaints).toEqual([]);
    await leave();
  });

  it('shows errors beside the fields in Hindi, from the form and from the server [long]', async () => {
    const { page, leave } = await open();
    await page.goto('/SignupForm?lang=hi');
    const fill = async (fields: Record<string, string>) => {
      for (const [name, value] of Object.entries(fields))
        await page.locator(`input[name=${name}]`).fill(value);
      await page.getByRole('main').getByRole('button', { name: 'साइन अप' }).click();
    };
    const secrets = { password: 'a long password', cpassword: 'a long password' };
    await fill({ name: 'Mira', username: 'mi ra', email: 'nowhere', ...secrets });
    await page.getByText('कृपया सही ईमेल पता लिखें।').waitFor();
    await page.getByText('यूज़रनेम में अक्षर, अंक').waitFor();
    await signUpAt(site.origin, 'noscript.mira');
    await fill({ username: 'noscript.mira', email: 'another@people.example', ...secrets });
    await page.getByText('यह यूज़रनेम पहले से लिया जा चुका है।').waitFor();
    await leave();
  });

  it.each([
    '/LoginGoogle',
    '/LoginEmail',
    '/DeleteUser/018f0000-0000-7000-8000-000000000000',
    '/UserProfile',
  ])('%s says that it needs JavaScript, and shows no button that does nothing [long]', async (path) => {
    const { page, leave } = await open();
    await page.goto(path);
    await page.getByText('needs JavaScript').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await leave();
  });
});

describe('when the script of a page fails to load [long]', () => {
  it('submits the form natively', async () => {
    const { page, leave } = await site.open();
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto('/Feedback', { waitUntil: 'domcontentloaded' });
    await page.getByLabel('Your feedback').fill('Sent by hand');
    await page.getByRole('button', { name: 'Send feedback' }).click();
    await page.waitForURL('**/Feedback#sent');
    await leave();
  });
});

describe('with JavaScript [long]', () => {
  it('hydrates the result of a form that was submitted without it, without errors', async () => {
    await signUpAt(site.origin, 'noscript.taken');
    const { page, complaints, leave } = await site.open();
    await page.goto('/SignupForm');
    await takenOver(page);
    await page.evaluate(() => {
      const form = document.querySelector('main form') as HTMLFormElement;
      const values = { name: 'Ila', username: 'noscript.taken', email: 'ila2@people.example' };
      for (const [name, value] of Object.entries(values))
        (form.elements.namedItem(name) as HTMLInputElement).value = value;
      for (const name of ['password', 'cpassword'])
        (form.elements.namedItem(name) as HTMLInputElement).value = 'a long password';
      // As the browser submits it: no listener of the page is called.
      form.submit();
    });
    await page.getByText('This username is already taken.').waitFor();
    await takenOver(page);
    expect(await page.getByLabel('Username').inputValue()).toBe('noscript.taken');
    await page.getByText('This username is already taken.').waitFor();
    expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
    await leave();
  });
});
