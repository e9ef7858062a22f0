import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

interface Asked {
  challenge: string;
  origin?: string;
  rpId?: string;
  /** Whether the authenticator has verified its user. */
  isVerified?: boolean;
  /** The signature counter, if it is not the next number: that of a cloned authenticator, which counts separately. */
  counter?: number;
}

const flags = { present: 0x01, verified: 0x04, hasCredential: 0x40 };
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();

/** An authenticator with one passkey, which can answer like a browser and also in invalid ways. */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;

  const clientData = (type: string, { challenge, origin = 'http://localhost:3000' }: Asked) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  function head({ rpId = 'localhost', isVerified = true, ...asked }: Asked, more: number): Buffer {
    counter = asked.counter ?? counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const flag = flags.present | (isVerified ? flags.verified : 0) | more;
    return Buffer.concat([sha256(rpId), Buffer.of(flag), count]);
  }
  const common = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {} };

  return {
    id,
    /** The result of `navigator.credentials.create`. */
    create(asked: Asked) {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const key = isoCBOR.encode(
        new Map<number, number | Uint8Array>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
          [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
        ]),
      );
      const authData = Buffer.concat([
        head(asked, flags.hasCredential),
        Buffer.alloc(16),
        length,
        credentialId,
        key,
      ]);
      const attestation = isoCBOR.encode(
        new Map<string, string | Map<string, string> | Uint8Array>([
          ['fmt', 'none'],
          ['attStmt', new Map<string, string>()],
          ['authData', Uint8Array.from(authData)],
        ]),
      );
      return {
        ...common,
        response: {
          clientDataJSON: clientData('webauthn.create', asked).toString('base64url'),
          attestationObject: Buffer.from(attestation).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    /** The result of `navigator.credentials.get`. */
    get(asked: Asked) {
      const data = clientData('webauthn.get', asked);
      const authData = head(asked, 0);
      const signature = createSign('sha256')
        .update(Buffer.concat([authData, sha256(data)]))
        .sign(privateKey);
      return {
        ...common,
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}
