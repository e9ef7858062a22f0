import { useText } from '../../text.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The 4 placeholders of specification §9, in the grid that will hold the posts. */
export function PostsLoading({ className }: { className: string }) {
  const text = useText();
  return (
    <div role="status" aria-label={text('posts.loading')} className={className}>
      {[1, 2, 3, 4].map((place) => (
        <Skeleton key={place} className="aspect-4/6 rounded-panel" />
      ))}
    </div>
  );
}
