import type { Category } from '#contract/categories.ts';
import { useText } from '#web/text.tsx';
import { CategoryControl } from '../categories/category-control.tsx';
import { useCategoryName } from '../categories/use-category-name.ts';
import { chipLook, chipsLook } from './items.tsx';

/** With the number of their reels where that is known. */
export function Categories({ categories }: { categories: (Category & { count?: number })[] }) {
  const text = useText();
  const nameOf = useCategoryName();
  return (
    <ul className={chipsLook}>
      {categories.map((category) => (
        <li key={category.id}>
          <CategoryControl name={nameOf(category)} className={chipLook}>
            <img src={category.image} alt="" width={32} height={32} className="rounded-control" />
            {nameOf(category)}
            {category.count !== undefined && (
              <span className="figures text-soft">{text('category.count', { count: category.count })}</span>
            )}
          </CategoryControl>
        </li>
      ))}
    </ul>
  );
}
