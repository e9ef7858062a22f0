import { expect, it } from 'vitest';
import { MediaRefusal } from '../refusal.ts';
import { choosePoster } from './poster.ts';

it('a video of which no picture can be decoded is refused with a sentence, and not retried', async () => {
  const poster = choosePoster({ width: 64, height: 96 });
  await expect(poster.make({ poster: 'poster.webp', card: 'card.jpg', tile: 'tile.webp' })).rejects.toThrow(
    MediaRefusal,
  );
});
