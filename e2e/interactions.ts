import type { Locator, Page } from 'playwright-core';

/** What a control does, in words, and what is then on the page; without `seen` the control is not there. */
interface Effect {
  says: string;
  seen?: (page: Page) => Locator;
  /** What was on the page before, and is not then. */
  gone?: (page: Page) => Locator;
}

export interface ModeControl {
  route: string;
  control: string;
  /** Presses it; without, it is seen when the page is open. */
  press?: (page: Page) => Promise<void>;
  /** With INTERACTIONS=app, as specified. */
  app: Effect;
  /** With INTERACTIONS=web. */
  web: Effect;
  /** Whose comment on the reel it is at; the page shows it. */
  comment?: { of: 'creator' | 'person'; text: string };
  /** A screen that has it; a phone unless given. */
  viewport?: { width: number; height: number };
}

const desktop = { width: 1280, height: 800 };
const dialog = (page: Page) => page.getByRole('dialog');
const rail = (page: Page, name: RegExp) => page.locator('.player-rail').getByRole('button', { name });
/** Presses also what does nothing, which the browser's driver would not. */
const press = (find: (page: Page) => Locator) => async (page: Page) => {
  const control = find(page).first();
  await control.click({ force: (await control.getAttribute('aria-disabled')) === 'true' });
};
const popup = {
  says: 'opens the popup',
  seen: (page: Page) => dialog(page).getByRole('link', { name: 'App Store' }),
};
const absent = { says: 'is not there' };
const inert = (name: string) => ({
  says: 'does nothing',
  seen: (page: Page) => page.getByRole('button', { name }).and(page.locator('[aria-disabled=true]')).first(),
});
const pressed = (find: (page: Page) => Locator, says: string) => ({
  says,
  seen: (page: Page) => find(page).and(page.locator('[aria-pressed=true]')).first(),
});
const words = (app: string, web: string) => ({
  app: { says: `“${app}”`, seen: (page: Page) => page.getByText(app).first() },
  web: { says: `“${web}”`, seen: (page: Page) => page.getByText(web).first() },
});

const railLike = (page: Page) => rail(page, /like/);
const column = (page: Page) => page.getByRole('complementary');
const field = (page: Page) => page.getByLabel('Write a comment');
const photoLike = (page: Page) => page.getByRole('button', { name: /^Like, / });
const follow = (page: Page) => page.getByRole('button', { name: 'Follow @zoya' });
const category = (page: Page) => page.locator('main').getByText('Cricket', { exact: true });
const searchedFor = (words: string) => (page: Page) =>
  page.getByRole('searchbox').and(page.locator(`[value="${words}"]`));
const button = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true });

/** Every control that differs by the setting INTERACTIONS, seen by a person who is logged in and is not the creator. */
export const modeControls: ModeControl[] = [
  {
    route: '/videoplayer',
    control: 'Like',
    press: press(railLike),
    app: popup,
    web: pressed(railLike, 'likes, or takes the like back'),
  },
  {
    route: '/videoplayer',
    control: 'double tap',
    press: async (page) => await page.locator('.stage').dblclick({ position: { x: 150, y: 300 } }),
    app: popup,
    web: pressed(railLike, 'likes'),
  },
  {
    route: '/videoplayer',
    control: 'Comment',
    press: press((page) => rail(page, /comment/)),
    app: popup,
    web: {
      says: 'opens the comments with a field',
      seen: (page) => dialog(page).getByLabel('Write a comment'),
    },
  },
  {
    route: '/videoplayer',
    control: 'Comment, beside the comments',
    viewport: desktop,
    press: press((page) => rail(page, /comment/)),
    app: popup,
    web: { says: 'goes to the field', seen: (page) => field(page).and(page.locator(':focus')) },
  },
  {
    route: '/videoplayer',
    control: 'foot of the comments',
    viewport: desktop,
    app: {
      says: '“Comment in the app”',
      seen: (page) => column(page).getByRole('button', { name: 'Comment in the app' }),
    },
    web: { says: 'a field', seen: (page) => column(page).getByLabel('Write a comment') },
  },
  {
    route: '/videoplayer',
    control: 'Reply, at a comment',
    viewport: desktop,
    comment: { of: 'creator', text: 'In the evening' },
    press: press(button('Reply to @zoya')),
    app: absent,
    web: { says: 'begins an answer in the field', seen: (page) => field(page).and(page.locator(':focus')) },
  },
  {
    route: '/videoplayer',
    control: 'Delete, at one’s own comment',
    viewport: desktop,
    comment: { of: 'person', text: 'Where is this?' },
    press: press(button('Delete')),
    app: absent,
    web: { says: 'deletes it', gone: (page) => column(page).getByText('Where is this?') },
  },
  {
    route: '/videoplayer',
    control: 'Share',
    press: press((page) => rail(page, /share/)),
    app: popup,
    web: {
      says: 'opens ways to share, each of which counts',
      seen: (page) => page.getByRole('dialog', { name: 'Share' }),
    },
  },
  {
    route: '/videoplayer',
    control: 'Views',
    press: press((page) => rail(page, /view/)),
    app: popup,
    web: {
      says: 'opens the counts',
      seen: (page) => page.getByRole('dialog', { name: /views? · published/ }),
    },
  },
  {
    route: '/videoplayer',
    control: 'Follow',
    press: press(follow),
    app: absent,
    web: pressed(follow, 'follows, or no longer'),
  },
  {
    route: '/ShowPosts',
    control: 'Like',
    press: press(photoLike),
    app: inert('Like, '),
    web: pressed(photoLike, 'likes, or takes the like back'),
  },
  {
    route: '/ShowPosts',
    control: 'Comment',
    press: press(button('Comment')),
    app: inert('Comment'),
    web: absent,
  },
  {
    route: '/ShowPosts',
    control: 'Share',
    press: press(button('Share')),
    app: inert('Share'),
    web: { says: 'opens ways to share', seen: (page) => page.getByRole('dialog', { name: 'Share' }) },
  },
  {
    route: '/post/{id}',
    control: 'Like',
    press: press(photoLike),
    app: popup,
    web: pressed(photoLike, 'likes, or takes the like back'),
  },
  { route: '/post/{id}', control: 'Comment', press: press(button('Comment')), app: popup, web: absent },
  {
    route: '/user/{id}',
    control: 'Follow',
    press: press(follow),
    app: absent,
    web: pressed(follow, 'follows, or no longer'),
  },
  {
    route: '/user/{id}',
    control: 'Block',
    press: press(button('Block @zoya')),
    app: absent,
    web: { says: 'asks, and blocks', seen: (page) => page.getByRole('dialog', { name: 'Block @zoya' }) },
  },
  {
    route: '/AllUsers',
    control: 'Follow',
    press: press(follow),
    app: absent,
    web: pressed(follow, 'follows, or no longer'),
  },
  {
    route: '/Category',
    control: 'a category',
    press: press(category),
    app: popup,
    web: { says: 'leads to its reels', seen: searchedFor('Cricket') },
  },
  {
    route: '/search',
    control: 'a category among the results',
    press: press(category),
    app: popup,
    web: { says: 'leads to its reels', seen: searchedFor('Cricket') },
  },
  {
    route: '/Settings',
    control: 'name, username, picture, password',
    app: {
      says: 'a sentence that points to the app',
      seen: (page) => page.getByText('Name, photo and password can be changed in the mobile app.'),
    },
    web: { says: 'forms', seen: (page) => page.getByRole('button', { name: 'Change picture' }) },
  },
  {
    route: '/DownloadApp',
    control: 'the page',
    ...words('Jhalak in your pocket', 'Jhalak on your home screen'),
  },
  {
    route: '/',
    control: 'links to the stores',
    app: {
      says: 'Google Play and App Store',
      seen: (page) => page.locator('main').getByRole('link', { name: 'App Store' }),
    },
    web: {
      says: '“Install”',
      seen: (page) => page.locator('main').getByRole('link', { name: 'Install' }).last(),
    },
  },
  {
    route: '/',
    control: 'link in the header',
    viewport: desktop,
    app: {
      says: '“Download App”',
      seen: (page) => page.getByRole('banner').getByRole('link', { name: 'Download App' }),
    },
    web: {
      says: '“Install”',
      seen: (page) => page.getByRole('banner').getByRole('link', { name: 'Install' }),
    },
  },
  {
    route: '/About',
    control: 'its paragraph',
    ...words('like, comment and share in the app.', 'everything is on the site.'),
  },
  {
    route: '/EarningInfo',
    control: 'its first sentence',
    ...words('what you do in the app.', 'You earn coins with what you publish.'),
  },
  {
    route: '/EarningHistory',
    control: 'the first note',
    ...words('Please withedraw only in mobile...', 'You withdraw here on the site.'),
  },
  {
    route: '/PrivacyPolicy',
    control: 'who is responsible',
    ...words('Jhalak is a site and an app', 'Jhalak is a site for short videos'),
  },
];
