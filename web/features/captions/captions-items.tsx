import { Check } from 'lucide-react';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { menuItemLook } from '#web/ui/menu.tsx';
import { useSite } from '../chrome/use-site.ts';
import { languageName } from './language-name.ts';
import type { Captions } from './use-captions.ts';

/** The languages of a video's captions, to choose one or none. */
export default function CaptionsItems({ captions: { tracks, shown, choose } }: { captions: Captions }) {
  const text = useText();
  const { lang } = useSite();
  const languages = [undefined, ...tracks.map(({ language }) => language)];
  return (
    <>
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
    </>
  );
}
