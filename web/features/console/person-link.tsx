import { Link } from 'react-router';
import { useText } from '#web/text.tsx';

/** A person, with a link to all that operators see of them. The username of a deleted account is empty. */
export function PersonLink({ id, username }: { id: string; username: string }) {
  const text = useText();
  if (!username) return <>{text('console.accountGone')}</>;
  return (
    <Link to={`?part=people&case=${id}`} className="text-link">
      @{username}
    </Link>
  );
}
