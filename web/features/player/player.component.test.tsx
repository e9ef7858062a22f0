import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { showPage } from '#testing/page/show-page.tsx';
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
