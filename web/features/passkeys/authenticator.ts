import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { isApiError } from '#contract/api-error.ts';
import type { NewCredential, PasskeyAnswer, PasskeyOptions } from '#contract/passkeys.ts';
import { failureText, type useText } from '#web/text.tsx';

// Loaded by the click that uses it.
const library = () => import('@simplewebauthn/browser');

/** Lets the person make a passkey for this account. */
export async function makePasskey(options: PasskeyOptions): Promise<NewCredential> {
  const { startRegistration } = await library();
  return await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  });
}

/** Lets the person choose a passkey and answer by it. */
export async function askPasskey(options: PasskeyOptions): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  return await startAuthentication({ optionsJSON: options });
}

/** Why there is no answer: what the server says, or what the browser says by the name of its error. */
export function passkeyProblem(error: unknown, text: ReturnType<typeof useText>): string {
  if (isApiError(error)) return failureText(error, text);
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return text('passkey.notUsed');
  if (name === 'InvalidStateError') return text('passkey.known');
  return text('passkey.unsupported');
}
