import { Clapperboard, ImagePlus, Link2, type LucideIcon, Sunrise } from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { Menu, menuItemLook } from '#web/ui/menu.tsx';

const kinds: { to: string; label: MessageId; Icon: LucideIcon }[] = [
  { to: '/ReelPost', label: 'create.reel', Icon: Clapperboard },
  { to: '/PhotoPost', label: 'create.photo', Icon: ImagePlus },
  { to: '/StoryPost', label: 'create.story', Icon: Sunrise },
  { to: '/ReelPostByLink', label: 'create.link', Icon: Link2 },
];

interface CreateMenuProps {
  trigger: ReactNode;
  triggerClassName: string;
  panelClassName?: string;
}

/** What a signed-in person can publish. */
export function CreateMenu(look: CreateMenuProps) {
  const text = useText();
  return (
    <Menu {...look}>
      <ul aria-label={text('create.label')}>
        {kinds.map(({ to, label, Icon }) => (
          <li key={to}>
            <NavLink to={to} className={menuItemLook}>
              <Icon aria-hidden className="size-5" />
              {text(label)}
            </NavLink>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
