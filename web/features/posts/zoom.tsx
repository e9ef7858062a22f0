import { useMemo } from 'react';
import Lightbox from 'yet-another-react-lightbox';
import ZoomPlugin from 'yet-another-react-lightbox/plugins/zoom';
import 'yet-another-react-lightbox/styles.css';
import { useText } from '#web/text.tsx';
import { pictureText } from './picture.tsx';
import type { ShownPost } from './posts.ts';
import './zoom.css';

/** A single picture has no buttons to others. */
const alone = { buttonPrev: () => null, buttonNext: () => null };

interface ZoomProps {
  posts: ShownPost[];
  index: number;
  onClose: () => void;
}

/** Pictures in full screen, with zoom by pinch, wheel, double tap and keys (specification §2, click-to-zoom). */
export default function Zoom({ posts, index, onClose }: ZoomProps) {
  const text = useText();
  const slides = useMemo(
    () =>
      posts.map((post) => ({
        src: post.renditions.at(-1)?.url ?? post.imageurl,
        width: post.width,
        height: post.height,
        alt: pictureText(text, post),
      })),
    [posts, text],
  );
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return (
    <Lightbox
      open
      close={onClose}
      slides={slides}
      index={index}
      plugins={[ZoomPlugin]}
      animation={still ? { fade: 0, swipe: 0, zoom: 0 } : {}}
      carousel={{ finite: true, preload: 1 }}
      {...(posts.length === 1 ? { render: alone } : {})}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
      zoom={{ scrollToZoom: true, maxZoomPixelRatio: 3 }}
      labels={{
        Lightbox: text('zoom.label'),
        'Photo gallery': text('zoom.pictures'),
        Carousel: text('banner.carousel'),
        Slide: text('banner.slide'),
        '{index} of {total}': text('zoom.place'),
        Previous: text('zoom.previous'),
        Next: text('zoom.next'),
        Close: text('dialog.close'),
        'Zoom in': text('zoom.in'),
        'Zoom out': text('zoom.out'),
      }}
    />
  );
}
