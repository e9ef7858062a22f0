import { expect, it } from 'vitest';
import { isInAppBrowser } from './in-app-browser.ts';

const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A.240805.005';
const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36';
const webView = `${android}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.0.0 Mobile Safari/537.36`;
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

it.each([
  ['Instagram on Android', `${webView} Instagram 350.0.0.0 Android`],
  ['Instagram on an iPhone', `${iphone} Mobile/22A3354 Instagram 350.0.0.0 (iPhone15,2)`],
  ['Facebook on Android', `${webView} [FB_IAB/FB4A;FBAV/480.0.0.54.88;]`],
  ['Facebook on an iPhone', `${iphone} Mobile/22A3354 [FBAN/FBIOS;FBAV/480.0;FBBV/1]`],
  ['Telegram on Android', `${webView} Telegram-Android/11.1.3 (Google Pixel 8; Android 14)`],
  ['an app on Android', webView],
  ['an app on an iPhone', `${iphone} Mobile/22A3354`],
  [
    'an app on an iPad',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
  ],
  ['Line, which names Safari', `${iphone} Mobile/22A3354 Safari/604.1 Line/14.15.0`],
  ['Snapchat, which names Safari', `${iphone} Version/18.0 Mobile/22A3354 Safari/604.1 Snapchat/13.1`],
  ['X', `${iphone} Version/18.0 Mobile/22A3354 Safari/604.1 Twitter for iPhone/10.60`],
])('the browser inside %s is recognized', (_, userAgent) => {
  expect(isInAppBrowser(userAgent, false)).toBe(true);
});

it.each([
  ['Chrome on Android', `${android}) ${chrome}`, false],
  [
    'Samsung Internet',
    `${android}) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36`,
    false,
  ],
  ['Safari', `${iphone} Version/18.0 Mobile/15E148 Safari/604.1`, false],
  ['Chrome on an iPhone', `${iphone} CriOS/130.0.6723.37 Mobile/15E148 Safari/604.1`, false],
  ['Firefox', 'Mozilla/5.0 (Android 14; Mobile; rv:132.0) Gecko/132.0 Firefox/132.0', false],
  [
    'Chrome on a desktop',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
    false,
  ],
  ['the site on the home screen of an iPhone', `${iphone} Mobile/15E148`, true],
])('%s is an ordinary browser', (_, userAgent, installed) => {
  expect(isInAppBrowser(userAgent, installed)).toBe(false);
});
