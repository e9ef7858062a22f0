import { expect, it } from 'vitest';
import { pageQuery } from './page-query.ts';

it.each([
  ['/', '?cursor=abc&utm_source=x', '?cursor=abc'],
  ['/', '?q=asha&reel=1', ''],
  ['/AllUsers', '?cursor=c&q=a+b%26c', '?q=a+b%26c&cursor=c'],
  ['/allusers/', 'q=asha', '?q=asha'],
  ['/AllUsers.data', '?q=asha&_routes=root', '?q=asha'],
  ['/_root.data', '?cursor=c', '?cursor=c'],
  ['/user/1', '?tab=posts&tab=reels', '?tab=posts'],
  ['/user/1/2', '?tab=posts', ''],
  ['/videoplayer', '?reel=&lang=hi&REEL=2', '?lang=hi'],
  ['/About', '?lang=hi&a=1&lang=en', '?lang=hi'],
  ['/About', '?', ''],
  ['/About', '', ''],
])('of %s%s a page reads "%s"', (path, query, read) => {
  expect(pageQuery(path, query)).toBe(read);
});
