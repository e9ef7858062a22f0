import { Moon, Sun } from 'lucide-react';
import { useEffect } from 'react';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { useTheme } from '../theme/theme.ts';

const grounds = { light: '#fbf7ef', dark: '#110d2b' };

export function ThemeToggle() {
  const text = useText();
  const [theme, choose] = useTheme();
  useEffect(() => {
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', grounds[theme]);
  }, [theme]);

  return (
    <IconButton
      className="needs-script"
      label={text(theme === 'dark' ? 'theme.toLight' : 'theme.toDark')}
      onClick={() => choose(theme === 'dark' ? 'light' : 'dark')}
    >
      {/* Both are rendered and the body's class shows one, so that the server's page is right in either theme. */}
      <Moon aria-hidden className="size-5 dark:hidden" />
      <Sun aria-hidden className="hidden size-5 dark:block" />
    </IconButton>
  );
}
