import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** The owner and kind of a value: a value copied to another row or column does not decrypt. */
export interface Binding {
  personId: string;
  kind: string;
}

const algorithm = 'aes-256-gcm';
const [versionBytes, nonceBytes, tagBytes] = [4, 12, 16];
/** The shortest encrypted value. */
export const sealedAtLeast = versionBytes + nonceBytes + tagBytes;

const associatedData = ({ personId, kind }: Binding, version: number) =>
  Buffer.from(JSON.stringify([personId, kind, version]));

/** AES-256-GCM: version, nonce, tag, ciphertext. Person, kind and version are associated data. */
export function encryptWith(key: Buffer, version: number, text: string, binding: Binding): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(associatedData(binding, version));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([headOf(version), nonce, cipher.getAuthTag(), sealed]);
}

/** The first bytes of values of a version. */
export function headOf(version: number): Buffer {
  const head = Buffer.alloc(versionBytes);
  head.writeUInt32BE(version);
  return head;
}

/** The key version of an encrypted value. */
export function versionOf(sealed: Buffer): number {
  return sealed.readUInt32BE(0);
}

/** Throws if the value was changed, or belongs to another person or kind. */
export function decryptWith(key: Buffer, sealed: Buffer, binding: Binding): string {
  const nonce = sealed.subarray(versionBytes, versionBytes + nonceBytes);
  const tag = sealed.subarray(versionBytes + nonceBytes, versionBytes + nonceBytes + tagBytes);
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  decipher.setAAD(associatedData(binding, versionOf(sealed)));
  decipher.setAuthTag(tag);
  const text = decipher.update(sealed.subarray(versionBytes + nonceBytes + tagBytes));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

/** Identifies a key without revealing it. */
export function fingerprintOf({
  name,
  version,
  key,
}: {
  name: string;
  version: number;
  key: Buffer;
}): Buffer {
  return createHmac('sha256', key).update(`fingerprint ${name} ${version}`).digest().subarray(0, 16);
}
