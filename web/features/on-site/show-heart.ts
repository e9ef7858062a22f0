import type { Point } from '../interactions/controls.ts';

/** How long the heart of a double tap is seen, in milliseconds. */
const seen = 700;
const size = 96;
const heart =
  'M2 9.5a5.5 5.5 0 0 1 9.591-3.676.56.56 0 0 0 .818 0A5.49 5.49 0 0 1 22 9.5c0 2.29-1.5 4-3 5.5l-5.492 5.313a2 2 0 0 1-3 .019L5 15c-1.5-1.5-3-3.2-3-5.5';

/** Shows a heart where somebody has tapped twice. With reduced motion it stands still. */
export function showHeart({ x, y }: Point): void {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.innerHTML = `<path d="${heart}" fill="#f0347a"/>`;
  Object.assign(svg.style, {
    position: 'fixed',
    left: `${x - size / 2}px`,
    top: `${y - size / 2}px`,
    width: `${size}px`,
    height: `${size}px`,
    pointerEvents: 'none',
    filter: 'drop-shadow(0 2px 12px rgb(11 9 32 / 0.5))',
  });
  document.body.append(svg);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const frames = still
    ? { opacity: [1, 1] }
    : {
        opacity: [0, 1, 1, 0],
        scale: ['0.5', '1.15', '1', '1.3'],
        translate: ['0 0', '0 0', '0 0', '0 -40px'],
      };
  svg.animate(frames, { duration: seen, easing: 'ease-out' }).onfinish = () => svg.remove();
}
