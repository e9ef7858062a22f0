import type { Category } from '#contract/categories.ts';
import { CategoryControl } from '../categories/category-control.tsx';
import { useCategoryName } from '../categories/use-category-name.ts';
import { chipLook } from './items.tsx';

export function Categories({ categories }: { categories: Category[] }) {
  const nameOf = useCategoryName();
  return (
    <ul className="flex flex-wrap gap-2">
      {categories.map((category) => (
        <li key={category.id}>
          <CategoryControl name={nameOf(category)} className={chipLook}>
            <img src={category.image} alt="" width={32} height={32} className="rounded-control" />
            {nameOf(category)}
          </CategoryControl>
        </li>
      ))}
    </ul>
  );
}
