import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { anotherOf, freshClip } from '../fixtures/reels.ts';
import { browser } from '../servers/test-server.ts';

/** What a running program has acknowledged. */
export interface Acknowledged {
  posts: Map<string, { id: string; ownerId: string }>;
  deleted: Set<string>;
  reels: Set<string>;
  /** Each by another viewer. */
  views: number;
  /** By creator and month. */
  withdrawals: Map<string, string>;
}

export interface Worker {
  id: string;
  token: string;
}

export interface LoadPlan {
  /** The origin of the running program, as soon as it is ready. */
  origin: () => Promise<string>;
  /** They take turns to publish photos, two at a time; the first one also publishes reels. */
  creators: readonly Worker[];
  /** Reels that are watched. */
  seen: readonly string[];
  payees: readonly { who: Worker; month: string; totalRupee: number }[];
  viewers: number;
  /** Pause of a person between two actions, in milliseconds. */
  pause: number;
  /** Pause between two reels, which have to be encoded, in milliseconds. */
  reelPause: number;
}

export interface Load {
  done: Acknowledged;
  /** Count of each status; `cut` if no response came, `late` if none came in a minute. */
  answers: Map<number | 'cut' | 'late', number>;
  /** Everybody finishes the current action, until it is acknowledged. */
  stop(): Promise<void>;
}

/**
 * People who publish, delete, watch and withdraw at a running program, and who retry until they get a response, as the
 * site and the app do. All responses are recorded.
 */
export function startLoad(plan: LoadPlan): Load {
  const done: Acknowledged = {
    posts: new Map(),
    deleted: new Set(),
    reels: new Set(),
    views: 0,
    withdrawals: new Map(),
  };
  const answers: Load['answers'] = new Map();
  let stopping = false;
  let addresses = 0;
  const note = (answer: number | 'cut' | 'late') => answers.set(answer, (answers.get(answer) ?? 0) + 1);

  /** Another address each time, so that nobody hits a rate limit. */
  const newAddress = () => {
    addresses += 1;
    return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
  };

  /** Retries until the response is not a transient error; a refusal is a fault of this load. */
  async function insist(
    method: string,
    path: string,
    who: Worker | undefined,
    body: () => object | FormData | undefined,
  ) {
    const address = newAddress();
    for (;;) {
      const sent = body();
      const isForm = sent instanceof FormData;
      try {
        const response = await fetch(`${await plan.origin()}${path}`, {
          method,
          headers: {
            'user-agent': browser,
            'x-forwarded-for': address,
            ...(who ? { authorization: `Bearer ${who.token}` } : {}),
            ...(sent && !isForm ? { 'content-type': 'application/json' } : {}),
          },
          ...(sent ? { body: isForm ? sent : JSON.stringify(sent) } : {}),
          signal: AbortSignal.timeout(60_000),
        });
        const text = await response.text();
        note(response.status);
        if (response.ok) return JSON.parse(text);
        // A fast machine publishes more in a minute than one person may.
        if (response.status === 429) await sleep(Number(response.headers.get('retry-after')) * 1000);
        else if (response.status < 500) throw new Refused(`${method} ${path}: ${response.status} ${text}`);
      } catch (error) {
        if (error instanceof Refused) throw error;
        note(error instanceof DOMException && error.name === 'TimeoutError' ? 'late' : 'cut');
      }
      await sleep(50 + Math.random() * 100);
    }
  }

  const asFile = (bytes: Uint8Array<ArrayBuffer>) => () => {
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'file');
    return form;
  };

  async function publishPhotos(turns: readonly Worker[]): Promise<void> {
    for (let count = 1; !stopping; count += 1) {
      const who = turns[count % turns.length] as Worker;
      const [r = 0, g = 0, b = 0] = randomBytes(3);
      const picture = { create: { width: 64, height: 64, channels: 3 as const, background: { r, g, b } } };
      const bytes = new Uint8Array(Buffer.concat([await sharp(picture).jpeg().toBuffer(), randomBytes(16)]));
      const { fileName } = await insist('POST', '/api/s3Post/uploadPosts', who, asFile(bytes));
      const { data } = await insist('POST', '/api/post/add', who, () => ({
        fileName,
        caption: 'Under load',
      }));
      done.posts.set(fileName, { id: data._id, ownerId: who.id });
      await sleep(plan.pause);
      if (count % 3 > 0) continue;
      await insist('DELETE', `/api/post/deletePost/${data._id}`, who, () => undefined);
      done.deleted.add(data._id);
    }
  }

  async function publishReels(who: Worker): Promise<void> {
    const clip = await freshClip();
    while (!stopping) {
      const bytes = new Uint8Array(anotherOf(clip));
      const { fileName } = await insist('POST', '/api/s3Reel/uploadReels', who, asFile(bytes));
      const { data } = await insist('POST', '/api/reel/add', who, () => ({ videoKey: fileName }));
      done.reels.add(data._id);
      for (let waited = 0; waited < plan.reelPause && !stopping; waited += 50) await sleep(50);
    }
  }

  async function look(first: number): Promise<void> {
    for (let round = first; !stopping; round += 1) {
      const reel = plan.seen[round % plan.seen.length];
      const { lease } = await insist('POST', `/api/reel/increaseView/${reel}`, undefined, () => ({}));
      // The reels of these tests last a second, of which the server requires 0.72 to pass.
      await sleep(800);
      const watched = [{ lease, seconds: 1 }];
      await insist('POST', '/api/reel/watched', undefined, () => ({ watched }));
      done.views += 1;
      await insist(
        'GET',
        round % 2 ? '/api/reel/getallReels' : '/api/post/getallPostsall',
        undefined,
        () => undefined,
      );
      await sleep(plan.pause);
    }
  }

  async function askForMoney(): Promise<void> {
    for (const { who, month, totalRupee } of plan.payees) {
      if (stopping) return;
      const body = () => ({ userId: who.id, month, totalRupee });
      const { data } = await insist('POST', '/api/user-earnings/request', who, body);
      const again = await insist('POST', '/api/user-earnings/request', who, body);
      if (again.data._id !== data._id) throw new Error(`${month} was asked for twice`);
      done.withdrawals.set(`${who.id} ${month}`, data._id);
      for (let waited = 0; waited < plan.pause * 5 && !stopping; waited += 50) await sleep(50);
    }
  }

  const all = Promise.all([
    ...[0, 1].map((lane) => publishPhotos(plan.creators.filter((_, place) => place % 2 === lane))),
    ...plan.creators.slice(0, 1).map(publishReels),
    ...Array.from({ length: plan.viewers }, (_, index) => look(index)),
    askForMoney(),
  ]);
  // Errors of the load are thrown by `stop`.
  all.catch(() => undefined);
  return {
    done,
    answers,
    async stop() {
      stopping = true;
      await all;
    },
  };
}

class Refused extends Error {}
