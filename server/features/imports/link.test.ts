import { expect, it } from 'vitest';
import { readLink } from './link.ts';

const youtube = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
const instagram = 'https://www.instagram.com/reel/C1a-B2_c3D4/';

it.each([
  ['https://www.youtube.com/watch?v=dQw4w9WgXcQ', youtube],
  ['https://www.youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&t=3s#top', youtube],
  ['https://m.youtube.com/watch?v=dQw4w9WgXcQ', youtube],
  ['https://youtube.com/shorts/dQw4w9WgXcQ?feature=share', youtube],
  ['https://music.youtube.com/watch?v=dQw4w9WgXcQ', youtube],
  ['https://youtu.be/dQw4w9WgXcQ?si=abc', youtube],
  ['  https://YouTu.be/dQw4w9WgXcQ\n', youtube],
  ['youtube.com/shorts/dQw4w9WgXcQ', youtube],
  ['www.youtube.com/embed/dQw4w9WgXcQ', youtube],
  ['https://www.instagram.com/reel/C1a-B2_c3D4/', instagram],
  ['https://www.instagram.com/reels/C1a-B2_c3D4', instagram],
  ['https://instagram.com/p/C1a-B2_c3D4/?igsh=x', instagram],
  ['https://www.instagram.com/some.body/reel/C1a-B2_c3D4/', instagram],
  ['instagram.com/tv/C1a-B2_c3D4', instagram],
])('%s is a link to a video', (text, page) => expect(readLink(text)?.page).toBe(page));

it.each([
  'https://www.youtube.com/',
  'https://www.youtube.com/@somebody',
  'https://www.youtube.com/watch?v=short',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQx',
  'https://www.youtube.com/redirect?q=https://evil.example&v=dQw4w9WgXcQ',
  'https://www.instagram.com/',
  'https://www.instagram.com/somebody/',
  'https://www.instagram.com/share/reel/AAAAAA',
  'a video',
  '',
])('%s is not a link to a video', (text) => expect(readLink(text)).toBeUndefined());
