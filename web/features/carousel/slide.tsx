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
        'slide banner-night col-start-1 row-start-1 flex min-h-0 items-center gap-3 px-4 pt-2 pb-11 sm:gap-6 sm:px-8 sm:py-0 lg:px-14',
        jumps && 'slide-jumps',
      )}
      style={{ translate: `${offset * 100}% 0` }}
    >
      <div className="relative grid flex-1 justify-items-start gap-1.5 sm:gap-2">
        <h2 className="text-[1.125rem] font-extrabold leading-tight sm:text-[1.5rem] lg:text-[2rem]">
          {text(title, figures)}
        </h2>
        {/* A phone has room for the title and the link. */}
        <p className="hidden leading-snug text-night-soft lg:block">{text(words, figures)}</p>
        <Link to={to} draggable={false} className={buttonLook('primary', 'px-4! lg:mt-1')}>
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
        className="hidden aspect-3/2 h-auto w-28 shrink-0 min-[24rem]:block sm:mb-8 sm:w-42 lg:w-50"
      />
    </div>
  );
}
