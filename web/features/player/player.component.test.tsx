import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { showPage } from '#testing/page/show-page.tsx';
import type { FeedReel } from '../feed/feed.ts';
import { Actions } from './actions.tsx';
import UpToDate from './up-to-date.tsx';
import { useTaps } from './use-taps.ts';

describe('the card that says that one is up to date', () => {
  const page = () => {
    const [isShown, setIsShown] = useState(false);
    return (
      <>
        {isShown && <UpToDate onGoOn={() => setIsShown(false)} />}
        <button type="button" onClick={() => setIsShown(true)}>
          Next
        </button>
      </>
    );
  };

  it('has the focus at its button, and gives it back', async () => {
    const { user } = await showPage({ page: async () => ({ default: page }), address: '/videoplayer' });
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    const goOn = screen.getByRole('button', { name: 'Watch earlier reels again' });
    expect(document.activeElement).toBe(goOn);
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Next' }));
  });
});

describe('two quick taps', () => {
  const onDouble = vi.fn();
  const page = () => {
    const [shown, setShown] = useState({ showing: 0, moves: true });
    const onTap = useTaps(shown.showing, {
      onTap: () => shown.moves && setShown({ showing: shown.showing + 1, moves: false }),
      onDouble,
    });
    return (
      <button type="button" onClick={onTap}>
        {`Reel ${shown.showing}`}
      </button>
    );
  };

  it('are a double tap only if both are on the same reel', async () => {
    const { user } = await showPage({ page: async () => ({ default: page }), address: '/videoplayer' });
    await user.dblClick(await screen.findByRole('button', { name: 'Reel 0' }));
    expect(onDouble).not.toHaveBeenCalled();
    await user.dblClick(screen.getByRole('button', { name: 'Reel 1' }));
    expect(onDouble).toHaveBeenCalledTimes(1);
  });
});

describe('the buttons for the previous and the next reel', () => {
  const page = () => {
    const [hasNext, setHasNext] = useState(true);
    const reel = { likeCount: 0, commentCount: 0, shareviews: 0, views: 0 } as FeedReel;
    return (
      <>
        <Actions reel={reel} own={undefined} onPress={vi.fn()} {...{ hasNext }} move={vi.fn()} />
        <button type="button" onClick={() => setHasNext(false)}>
          The list has one reel
        </button>
      </>
    );
  };

  it('stay in place and are disabled if the list turns out to have a single reel, so that nothing moves', async () => {
    const { user } = await showPage({ page: async () => ({ default: page }), address: '/videoplayer' });
    const buttons = () => screen.getAllByRole('button', { name: /video$/ });
    expect(await screen.findByRole('button', { name: 'Next video' })).toHaveProperty('disabled', false);
    await user.click(screen.getByRole('button', { name: 'The list has one reel' }));
    expect(buttons().map((one) => (one as HTMLButtonElement).disabled)).toEqual([true, true]);
  });
});
