import sharp from 'sharp';
import { beforeAll, expect, it } from 'vitest';
import { emptySite } from '#testing/browser/site.ts';
import { visit } from '#testing/browser/visitor.ts';
import { type Client, signUpAt } from '#testing/clients/api-client.ts';

const site = emptySite();
let asha: Client;
let binod: Client;
beforeAll(async () => {
  [asha, binod] = [await signUpAt(site.origin, 'asha'), await signUpAt(site.origin, 'binod')];
});

/** Publishes a photo as the app does; returns the post's id. */
async function publishPhoto(client: Client): Promise<string> {
  const form = new FormData();
  const picture = sharp({ create: { width: 300, height: 400, channels: 3, background: '#e5447f' } });
  form.append('file', new Blob([new Uint8Array(await picture.jpeg().toBuffer())]), 'photo.jpg');
  const headers = { authorization: `Bearer ${client.token}` };
  const address = `${site.origin}/api/s3Post/uploadPosts`;
  const { fileName } = await (await fetch(address, { method: 'POST', headers, body: form })).json();
  const { body } = await client.send('POST', '/api/post/add', { fileName, caption: 'A photo' });
  return (body as unknown as { data: { _id: string } }).data._id;
}

it('a follow and a like raise the other person’s badge, and opening the list clears it', async () => {
  const postId = await publishPhoto(asha);
  const [hers, his] = [await site.open({ person: asha }), await site.open({ person: binod })];
  await hers.page.clock.install();
  await Promise.all([visit(hers.page, '/About'), visit(his.page, `/user/${asha.id}`)]);
  const bell = (unread: number) =>
    hers.page
      .getByRole('banner')
      .getByRole('link', { name: unread ? `Notifications, ${unread} unread` : 'Notifications', exact: true });
  await bell(0).waitFor();

  // The app is another client of the same server: the same calls, made in the page where he is signed in.
  const act = (path: string) =>
    his.page.evaluate(async (address) => {
      const authorization = `Bearer ${localStorage.getItem('authToken')}`;
      return (await fetch(address, { method: 'POST', headers: { authorization } })).status;
    }, path);
  expect([await act(`/api/follow/${asha.id}`), await act(`/api/post/like/${postId}`)]).toEqual([200, 200]);
  await hers.page.clock.runFor(61_000);
  await bell(2).waitFor();

  await bell(2).click();
  await hers.page.getByText('binod started following you').waitFor();
  await hers.page.getByText('binod liked your photo').waitFor();
  await bell(0).waitFor();
  expect([...hers.complaints, ...his.complaints]).toEqual([]);
  await Promise.all([hers.leave(), his.leave()]);
});
