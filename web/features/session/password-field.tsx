import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';

/** A password field with a button that shows the password. */
export function PasswordField(props: Omit<ComponentProps<typeof TextField>, 'type' | 'trailing'>) {
  const text = useText();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <TextField
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      trailing={
        <IconButton
          className="needs-script"
          label={text(shown ? 'account.hidePassword' : 'account.showPassword')}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden className="size-5" />
        </IconButton>
      }
    />
  );
}

/** Kept in memory alone, until its owner has logged in or left the login page. */
let kept: { email: string; password: string } | undefined;

/** The password of the account that was just made, for the login page, to which sign-up leads (specification §8). */
export const newPasswordOf = (email: string): string => (kept?.email === email ? kept.password : '');

export function keepNewPassword(account: typeof kept): void {
  kept = account;
}
