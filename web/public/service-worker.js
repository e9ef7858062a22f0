/*
 * Caches the site's hashed files, and shows an offline page if the network does not respond. Pages always come from the network, so none is
 * outdated. Responses of the API and media are never cached.
 */
const files = 'jhalak-files-1';
const standIn = 'jhalak-offline-1';
// Compressed videos that are being uploaded; the upload form manages them.
const others = ['jhalak-smaller-1'];
// Files from other apps, until the page that publishes them takes them (web/features/upload/form/shared-files.ts).
const shared = 'jhalak-shared-1';
const filesAtMost = 120;

self.addEventListener('install', (event) => {
  event.waitUntil(keepOfflinePage().then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => ![files, standIn, shared, ...others].includes(name)).map((name) => caches.delete(name))),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method === 'POST' && url.origin === self.location.origin && url.pathname === '/share')
    return event.respondWith(share(request));
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(page(event));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(file(request));
});

/** Shows a push message; a later one replaces it, and alerts again. */
self.addEventListener('push', (event) => {
  const { title, body, url, lang } = messageOf(event.data);
  event.waitUntil(
    self.registration.showNotification(title, { body, lang, icon: '/icon-192.png', tag: 'jhalak', renotify: true, data: { url } }),
  );
});

/** A browser revokes the permission to push from a site that shows nothing. */
function messageOf(data) {
  try {
    return data.json();
  } catch {
    return { title: 'Jhalak', url: '/Activity' };
  }
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

const windows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Shows a page in the window in which it is open, or in a new one: other windows may contain a form that is not sent yet. */
async function open(url) {
  const address = new URL(url, self.location.href).href;
  const window = (await windows()).find((one) => one.url === address);
  return window ? window.focus() : self.clients.openWindow(url);
}

/**
 * The push service has a new address for this browser. The open page, or the next one, reports it to the server
 * (web/features/settings/keep-push.ts).
 */
self.addEventListener('pushsubscriptionchange', (event) => {
  event.waitUntil(subscribeAgain(event));
});

async function subscribeAgain({ oldSubscription, newSubscription }) {
  if (oldSubscription && !newSubscription) await self.registration.pushManager.subscribe(oldSubscription.options);
  for (const window of await windows()) window.postMessage('pushsubscriptionchange');
}

/** Stores files that another app shares, and opens the page that publishes them. They stay there until the person has logged in. */
async function share(request) {
  const given = (await request.formData()).getAll('file').filter((one) => one instanceof File);
  const kinds = await Promise.all(given.map(kindOf));
  const [kind] = kinds;
  if (!kind) return Response.redirect('/', 303);
  await caches.delete(shared);
  try {
    const cache = await caches.open(shared);
    for (const [place, file] of given.filter((_, place) => kinds[place] === kind).entries())
      await cache.put(
        `/share/${kind}/${place}?name=${encodeURIComponent(file.name)}`,
        new Response(file, { headers: { 'content-type': file.type || 'application/octet-stream' } }),
      );
  } catch {
    // The device has no space left: the page opens, and the file is chosen there.
    await caches.delete(shared);
  }
  return Response.redirect(kind === 'image' ? '/PhotoPost' : '/ReelPost', 303);
}

/**
 * What a shared file is. Some apps share a file without its type, so then its first bytes and its name decide. Anything else
 * goes to the reels, which show the error.
 */
async function kindOf(file) {
  if (/^(image|video)\//.test(file.type)) return file.type.slice(0, 5);
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  const isPhoto = /^(\xff\xd8\xff|\x89PNG|GIF8|RIFF.{4}WEBP|.{4}ftyp(avi[fs]|hei[cxms]|hev[cx]|mif1|msf1))/s.test(head);
  return isPhoto || /\.(jpe?g|png|gif|webp|avif|hei[cf])$/i.test(file.name) ? 'image' : 'video';
}

async function page(event) {
  try {
    const answer = await fetch(event.request);
    // A new build or another language has another offline page.
    event.waitUntil(keepOfflinePage().catch(() => undefined));
    return answer;
  } catch {
    const cache = await caches.open(standIn);
    return (await cache.match('/offline')) ?? Response.error();
  }
}

/** A hashed file never changes, so a cached copy is always right. */
async function file(request) {
  const cache = await caches.open(files);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    await cache.put(request, answer.clone());
    const names = await cache.keys();
    await Promise.all(names.slice(0, Math.max(0, names.length - filesAtMost)).map((name) => cache.delete(name)));
  }
  return answer;
}

let keeping;

/** Fetches the offline page and its files, at most once in ten minutes. */
function keepOfflinePage() {
  if (keeping && keeping.since > Date.now() - 600_000) return keeping.done;
  keeping = { since: Date.now(), done: fetchOfflinePage() };
  keeping.done.catch(() => {
    keeping = undefined;
  });
  return keeping.done;
}

async function fetchOfflinePage() {
  const answer = await fetch('/offline', { cache: 'no-store' });
  if (!answer.ok) throw new Error(`/offline answered ${answer.status}`);
  const html = await answer.clone().text();
  const parts = [...html.matchAll(/(?:href|src)="(\/assets\/[^"#]+\.(?:css|woff2|svg))[#"]/g)].map(([, path]) => path);
  const cache = await caches.open(files);
  await Promise.all([...new Set(parts)].map(async (path) => (await cache.match(path)) ?? cache.add(path)));
  await (await caches.open(standIn)).put('/offline', answer);
}
