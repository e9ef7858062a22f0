import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

export function CategoriesLoading() {
  const text = useText();
  return (
    <div
      role="status"
      aria-label={text('category.loading')}
      className="mt-8 grid grid-cols-2 gap-2.5 min-[30rem]:grid-cols-3 sm:gap-3 lg:grid-cols-4"
    >
      {Array.from({ length: 12 }, (_, place) => place).map((place) => (
        <Skeleton key={place} className="h-21 rounded-panel" />
      ))}
    </div>
  );
}
