import type { RankReason } from '#contract/taste.ts';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { useCategoryName } from '../categories/use-category-name.ts';

await loadPart('taste');

/** As much of a caption as names it. */
const longestCaption = 40;

/** Why a reel is in a ranked list, in one sentence. */
export default function Reason({ why }: { why: RankReason }) {
  const text = useText();
  const nameOf = useCategoryName();
  if (why.code === 'watched') {
    const caption = beginningOf(why.caption);
    return text(caption ? 'why.watched' : 'why.watchedUntitled', { caption, username: why.username });
  }
  if (why.code === 'category') return text('why.category', { category: nameOf({ id: why.category }) });
  if (why.code === 'followed') return text('why.followed', { username: why.username });
  return text(`why.${why.code}`);
}

function beginningOf(caption: string): string {
  const words = caption.replace(/\s+/g, ' ').trim();
  const letters = [...words];
  return letters.length > longestCaption
    ? `${letters
        .slice(0, longestCaption - 1)
        .join('')
        .trimEnd()}…`
    : words;
}
