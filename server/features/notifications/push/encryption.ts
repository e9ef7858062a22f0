import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** The keys of a browser: its public key, and a shared secret. */
export interface Keys {
  p256dh: string;
  auth: string;
}

interface Randomness {
  salt: Buffer;
  privateKey: Buffer | undefined;
}

const recordSize = 4096;
const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length));

/** Encrypts a message for one browser (RFC 8291), so that its push service cannot read it. Throws if the browser's key is invalid. */
export function encryptFor(
  { p256dh, auth }: Keys,
  text: string,
  { salt, privateKey }: Randomness = { salt: randomBytes(16), privateKey: undefined },
): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url');
  const own = createECDH('prime256v1');
  if (privateKey) own.setPrivateKey(privateKey);
  else own.generateKeys();
  const ours = own.getPublicKey();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours]);
  const secret = derive(own.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  // The last record, without padding.
  const sealed = [cipher.update(Buffer.concat([Buffer.from(text), Buffer.of(2)])), cipher.final()];
  const head = Buffer.alloc(21);
  salt.copy(head);
  head.writeUInt32BE(recordSize, 16);
  head.writeUInt8(ours.length, 20);
  return Buffer.concat([head, ours, ...sealed, cipher.getAuthTag()]);
}
