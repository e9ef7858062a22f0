import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { isApiError } from '#contract/api-error.ts';
import type { NewCredential, PasskeyAnswer, PasskeyOptions } from '#contract/passkeys.ts';
import { failureText, type useText } from '#web/text.tsx';

// Loaded on the first click.
const library = () => import('@simplewebauthn/browser');

/** Lets the person create a passkey for this account. */
export async function makePasskey(options: PasskeyOptions): Promise<NewCredential> {
  const { startRegistration } = await library();
  return await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  });
}

/** Lets the person choose a passkey and sign the challenge with it. */
export async function askPasskey(options: PasskeyOptions): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  return await startAuthentication({ optionsJSON: options });
}

/** The error message: the server's, or one for the name of the browser's error. */
export function passkeyProblem(error: unknown, text: ReturnType<typeof useText>): string {
  if (isApiError(error)) return failureText(error, text);
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return text('passkey.notUsed');
  if (name === 'InvalidStateError') return text('passkey.known');
  return text('passkey.unsupported');
}
