import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A person signed in at a running program, who uses its API like the app. */
export interface Client {
  id: string;
  token: string;
  user: { _id: string; username: string; email: string };
  /** Uploads a file and publishes it; returns the reel's id once it is public. */
  publish(path: string, caption: string): Promise<string>;
  send(method: string, path: string, body?: object): Promise<{ status: number; body: Record<string, never> }>;
}

/** Signs a new person up and in. */
export async function signUpAt(origin: string, username: string): Promise<Client> {
  const email = `${username}@people.example`;
  const password = 'a long password';
  const json = { 'content-type': 'application/json' };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(body),
    });
    // Otherwise a name that is taken would sign in somebody else's person.
    if (!response.ok)
      throw new Error(`${path} of ${username} answered ${response.status}: ${await response.text()}`);
    return await response.json();
  };
  await post('/api/signup', { name: username, username, email, password, cpassword: password });
  const { data: token, user } = await post('/api/signin', { email, password });
  return clientAt(origin, token, user);
}

/** Signs up several people, as many as it takes so that none of them meets a limit of a day. */
export async function signUpSeveral(origin: string, name: string, count: number): Promise<Client[]> {
  return await Promise.all(Array.from({ length: count }, (_, nth) => signUpAt(origin, `${name}${nth}`)));
}

/** A person who is already signed in. */
export function clientAt(origin: string, token: string, user: Client['user']): Client {
  const authorization = `Bearer ${token}`;

  const send: Client['send'] = async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { authorization, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await response.json() };
  };
  return {
    id: user._id,
    token,
    user,
    send,
    async publish(path, caption) {
      const { fileName } = await uploadTo(origin, token, await readFile(path));
      const { body } = await send('POST', '/api/reel/add', { videoKey: fileName, caption });
      const { _id } = (body as unknown as { data: { _id: string } }).data;
      await untilPublic(origin, _id);
      return _id;
    },
  };
}

/** Uploads bytes as a reel's file; throws the server's message if it is refused. */
export async function uploadTo(origin: string, token: string, bytes: Buffer): Promise<{ fileName: string }> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'clip.mp4');
  const response = await fetch(`${origin}/api/s3Reel/uploadReels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  if (!response.ok) throw new Error(`the upload was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { fileName: string };
}

export async function untilPublic(origin: string, id: string): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if ((await fetch(`${origin}/api/reel/getReel/${id}`)).ok) return;
    await sleep(100);
  }
  throw new Error(`the reel ${id} does not become public`);
}
