import { useMutation } from '@tanstack/react-query';
import { lookAtCase } from '#contract/cases.ts';
import { call } from '#web/api.ts';
import { failureText, useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/form-error.tsx';
import { KeyName } from './key-name.tsx';
import { useLetterKeys, useLettersOn } from './letter-keys.ts';
import { Said } from './said.tsx';
import { Veiled } from './veiled.tsx';

/** The evidence of a case about what may show a child: it comes when an operator asks for it, and each time is in the log. */
export function Look({ id }: { id: string }) {
  const text = useText();
  const look = useMutation({
    mutationFn: async () => (await call(lookAtCase, { params: { id } })).data,
    gcTime: 0,
  });
  const isAsking = !look.data && !look.isPending;
  const lettersOn = useLettersOn();
  useLetterKeys(isAsking, { o: () => look.mutate() });
  if (look.data)
    return (
      <>
        <Said of={look.data} />
        {look.data.picture && <Veiled pictures={[look.data.picture]} video={look.data.video} />}
      </>
    );
  return (
    <div className="grid justify-items-start gap-3 rounded-panel bg-sunken p-5">
      <p>{text('console.look.says')}</p>
      <FormError message={look.error ? failureText(look.error, text) : undefined} />
      <Button
        aria-keyshortcuts={lettersOn ? 'o' : undefined}
        busy={look.isPending}
        onClick={() => look.mutate()}
      >
        {text('console.look')}
        <KeyName name="o" />
      </Button>
    </div>
  );
}
