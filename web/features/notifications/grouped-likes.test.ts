import { describe, expect, it } from 'vitest';
import { linesOf } from './grouped-likes.ts';
import type { ShownNotification } from './shown-notification.ts';

let count = 0;
const notification = (kind: string, aboutId: string | null): ShownNotification => {
  count += 1;
  return {
    _id: `n${count}`,
    kind,
    title: '',
    username: `person${count}`,
    senderId: `s${count}`,
    profileImage: '',
    aboutId,
    about: null,
    comment: '',
    read: false,
    createdAt: '2026-11-03T06:30:00Z',
  };
};
const like = (aboutId: string) => notification('like_reel', aboutId);
const idsOf = (pages: ShownNotification[][]) => linesOf(pages).map((line) => line.map(({ _id }) => _id));

describe('the lines of the notifications', () => {
  it('are one for the likes of the same thing, in the place of the newest', () => {
    const [one, comment, other, two] = [like('a'), notification('comment', 'a'), like('b'), like('a')];
    expect(linesOf([[one, comment, other, two]])).toEqual([[one, two], [comment], [other]]);
  });

  it.each([
    ['comments', 'comment', 'a'],
    ['new followers', 'follow', null],
    ['news of the account', 'month_released', null],
    ['likes of what is not named', 'like_reel', null],
  ])('are one for each of %s', (_, kind, aboutId) => {
    const page = [1, 2, 3].map(() => notification(kind, aboutId));
    expect(linesOf([page])).toEqual(page.map((one) => [one]));
  });

  it('keep likes of a reel and of a photo apart', () => {
    const page = [like('a'), notification('like_post', 'a')];
    expect(linesOf([page])).toHaveLength(2);
  });

  it('stay as they are when a further page comes, except that the last one goes on', () => {
    const first = [like('a'), like('b'), like('a')];
    const second = [like('b'), like('a'), like('b'), like('a')];
    const before = idsOf([first]);
    const after = idsOf([first, second]);
    expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(after).toEqual(
      [
        [first[0], first[2]],
        [first[1], second[0], second[2]],
        [second[1], second[3]],
      ].map((line) => line.map((one) => one?._id)),
    );
  });

  it('hold each notification once, however the pages are cut', () => {
    const all = Array.from({ length: 60 }, (_, place) =>
      place % 4 === 0 ? notification('follow', null) : like('abc'.charAt((place * 7) % 3)),
    );
    for (const size of [1, 2, 7, 24, 60]) {
      const pages = Array.from({ length: Math.ceil(60 / size) }, (_, nth) =>
        all.slice(nth * size, (nth + 1) * size),
      );
      expect(idsOf(pages).flat().sort()).toEqual(all.map(({ _id }) => _id).sort());
      for (let known = 1; known < pages.length; known += 1)
        expect(idsOf(pages).slice(0, idsOf(pages.slice(0, known)).length - 1)).toEqual(
          idsOf(pages.slice(0, known)).slice(0, -1),
        );
    }
  });
});
