import { SendHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { limits } from '#contract/limits.ts';
import { useText } from '#web/text.tsx';
import { buttonLook, IconButton } from '#web/ui/button.tsx';
import { useSession } from '../session/use-session.ts';
import { commentPlace } from './comment-place.ts';
import { changeDraft, draftOf, say } from './own-comments.ts';

/** The field in which a comment on a reel is written (INTERACTIONS=web). Enter sends it. */
export function CommentField({ reelId }: { reelId: string }) {
  const text = useText();
  const { user, token } = useSession();
  const { pathname, search } = useLocation();
  const [words, setWords] = useState(() => draftOf(reelId));
  const [sending, setSending] = useState(false);
  const id = useId();

  if (!user || !token)
    return (
      <Link
        {...commentPlace(reelId)}
        to="/LoginGoogle"
        // The way back opens the comments again.
        state={{ from: `${pathname}${search}#comments` }}
        className={buttonLook('secondary', 'w-full')}
      >
        {text('onsite.logInToComment')}
      </Link>
    );

  function write(draft: string) {
    setWords(draft);
    changeDraft(reelId, draft);
  }

  async function send() {
    const said = words.trim();
    if (!said || sending || !user) return;
    setSending(true);
    const sent = say({ reelId, words: said, user });
    setWords(draftOf(reelId));
    await sent;
    // What could not be sent is in the draft again.
    setWords(draftOf(reelId));
    setSending(false);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      className="flex items-end gap-2"
    >
      <label htmlFor={id} className="sr-only">
        {text('onsite.comment')}
      </label>
      <textarea
        id={id}
        {...commentPlace(reelId)}
        rows={1}
        maxLength={limits.comment}
        placeholder={text('onsite.comment')}
        value={words}
        // A reply may have begun the draft elsewhere.
        onFocus={() => setWords(draftOf(reelId))}
        onChange={({ target }) => write(target.value)}
        onKeyDown={(event) => {
          // The keys of the player are for its buttons.
          event.stopPropagation();
          const { isComposing } = event.nativeEvent;
          if (isComposing || event.shiftKey || (event.key !== 'Enter' && event.key !== 'Escape')) return;
          // Escape leaves the field first, and not the dialog around it.
          event.preventDefault();
          if (event.key === 'Enter') void send();
          else event.currentTarget.blur();
        }}
        className="field-sizing-content max-h-32 min-h-11 min-w-0 flex-1 resize-none rounded-control border border-line-strong bg-ground px-3 py-2.5 text-text placeholder:text-soft"
      />
      <IconButton
        type="submit"
        label={text('onsite.send')}
        aria-disabled={!words.trim() || sending || undefined}
        className="bg-accent text-on-accent hover:bg-accent-hover aria-disabled:opacity-60"
      >
        <SendHorizontal aria-hidden className="size-5" />
      </IconButton>
    </form>
  );
}
