import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { userData } from '#contract/accounts.ts';
import { getNotifications } from '#contract/notifications.ts';
import { answerCalls } from '#testing/page/answers.ts';
import { showPage } from '#testing/page/show-page.tsx';
import { zoya } from '#testing/page/things.ts';

const reelId = '018f0000-0000-7000-8000-000000000001';
const farid = '018f0000-0000-7000-8000-000000000002';
/** Kind, title, sentence and address. */
const lines: [string, string, string, string][] = [
  ['like_reel', '', 'farid liked your reel', `/videoplayer?reel=${reelId}`],
  ['comment', '', 'farid commented on your reel', `/videoplayer?reel=${reelId}`],
  ['new_reel', '', 'farid published a new reel', `/videoplayer?reel=${reelId}`],
  ['like_post', '', 'farid liked your photo', `/post/${reelId}`],
  ['new_post', '', 'farid published a new photo', `/post/${reelId}`],
  ['new_story', '', 'farid published a new story', `/story/${farid}`],
  ['follow', '', 'farid started following you', `/user/${farid}`],
  ['of_next_year', 'farid waved at you', 'farid waved at you', `/user/${farid}`],
];

describe('stored notifications', () => {
  it('of every kind have a text and a link, even before the server answers', async () => {
    const server = answerCalls();
    server.on(getNotifications, () => new Promise(() => undefined));
    server.on(userData, { data: { ...zoya, data: zoya } });
    const items = lines.map(([kind, title], place) => ({
      _id: `n${place}`,
      kind,
      title,
      username: 'farid',
      senderId: farid,
      profileImage: '',
      aboutId: kind === 'follow' ? null : reelId,
      about: kind === 'new_story' ? { picture: '/media/r/tile.webp', caption: '' } : null,
      comment: '',
      read: false,
      createdAt: new Date().toISOString(),
    }));
    localStorage.setItem(
      `jhalak.kept.notifications.${zoya._id}`,
      JSON.stringify({ version: 1, value: { items, nextCursor: null } }),
    );
    await showPage({ page: () => import('#web/pages/activity.tsx'), address: '/Activity', person: zoya });
    await screen.findByText('farid waved at you');
    const shown = screen
      .getAllByRole('link')
      .map((link) => [
        link.querySelector('.leading-snug')?.textContent.replaceAll(/[\u2066-\u2069]/g, ''),
        link.getAttribute('href'),
      ]);
    expect(shown).toEqual(lines.map(([, , sentence, address]) => [sentence, address]));
  });
});
