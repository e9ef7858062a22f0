import { Check, ClosedCaption } from 'lucide-react';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Menu, menuItemLook } from '#web/ui/menu.tsx';
import { useSite } from '../chrome/use-site.ts';
import { languageName } from './language-name.ts';
import type { Captions } from './use-captions.ts';

interface CaptionsButtonProps {
  captions: Captions;
  className: string;
}

/** Turns captions on and off; with several languages it opens a menu. */
export function CaptionsButton({ captions, className }: CaptionsButtonProps) {
  const text = useText();
  const { lang } = useSite();
  const { tracks, shown, toggle, choose } = captions;
  const icon = <ClosedCaption aria-hidden className={classNames('size-6', shown && 'text-marigold')} />;
  const label = text('captions.label');
  if (tracks.length === 0) return null;
  if (tracks.length === 1) {
    return (
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-pressed={shown !== undefined}
        onClick={toggle}
        className={classNames('needs-script', className)}
      >
        {icon}
      </button>
    );
  }
  const languages = [undefined, ...tracks.map(({ language }) => language)];
  return (
    <div className="needs-script">
      <Menu
        label={label}
        trigger={icon}
        triggerClassName={classNames(className, 'cursor-pointer list-none')}
        panelClassName="text-text"
      >
        {languages.map((language) => (
          <button
            key={language ?? ''}
            type="button"
            lang={lang}
            aria-pressed={shown?.language === language}
            onClick={() => choose(language)}
            className={classNames(menuItemLook, 'justify-between')}
          >
            {language ? languageName(language, lang) : text('captions.off')}
            {shown?.language === language && <Check aria-hidden className="size-5 shrink-0" />}
          </button>
        ))}
      </Menu>
    </div>
  );
}
