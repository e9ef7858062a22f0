import { expect, it } from 'vitest';
import { MediaRefusal } from '../refusal.ts';
import { choosePoster } from './poster.ts';

it('a video of which no picture could be decoded is refused in words, and not tried again', async () => {
  const poster = choosePoster({ width: 64, height: 96 });
  await expect(poster.make({ poster: 'poster.webp', card: 'card.jpg', tile: 'tile.webp' })).rejects.toThrow(
    MediaRefusal,
  );
});
