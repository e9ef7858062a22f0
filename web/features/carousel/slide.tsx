import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useJumps } from '#web/ui/use-jumps.ts';
import { useSite } from '../chrome/use-site.ts';
import type { BannerSlide } from './slides.ts';

interface SlideProps extends BannerSlide {
  /** 0 for the current slide, negative to its left, positive to its right. */
  offset: number;
  /** Such as "2 of 5". */
  label: string;
}

export function Slide({ title, text: words, values, to, action, picture, offset, label }: SlideProps) {
  const text = useText();
  const { rates } = useSite();
  const figures = values?.(rates);
  const jumps = useJumps(offset, 3);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a slide of a carousel is a group with a number (WAI-ARIA practices)
    <div
      role="group"
      aria-roledescription={text('banner.slide')}
      aria-label={label}
      inert={offset !== 0}
      className={classNames(
        'slide banner-night col-start-1 row-start-1 grid items-center gap-x-6 px-5 pb-14 pt-6 sm:grid-cols-[1fr_minmax(0,40%)] sm:px-9 sm:pb-14 sm:pt-8 lg:px-14',
        jumps && 'slide-jumps',
      )}
      style={{ translate: `${offset * 100}% 0` }}
    >
      <div className="relative grid justify-items-start gap-2 sm:gap-3">
        <h2 className="max-w-[18ch] text-[clamp(1.625rem,7.6vw,2.125rem)] font-extrabold sm:text-4xl lg:text-[2.75rem]">
          {text(title, figures)}
        </h2>
        <p className="max-w-[22ch] leading-snug text-night-soft sm:max-w-[34ch] sm:text-lg">
          {text(words, figures)}
        </p>
        <Link to={to} draggable={false} className={buttonLook('primary', 'mt-2')}>
          {text(action)}
        </Link>
      </div>
      <img
        src={picture}
        alt=""
        width={480}
        height={320}
        draggable={false}
        loading="lazy"
        className="hidden h-auto max-h-72 w-full sm:block"
      />
    </div>
  );
}
