import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/form-error.tsx';

/** Runs an action that needs a passkey, and shows why it failed. */
export function PasskeyButton({ words, run }: { words: string; run: () => Promise<void> }) {
  const text = useText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function begin() {
    setProblem(undefined);
    setBusy(true);
    try {
      await run();
    } catch (error) {
      const { passkeyProblem } = await import('./authenticator.ts');
      setProblem(passkeyProblem(error, text));
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <FormError message={problem} />
      <Button busy={busy} className="min-h-12" onClick={begin}>
        <KeyRound aria-hidden className="size-5" />
        {words}
      </Button>
    </>
  );
}
