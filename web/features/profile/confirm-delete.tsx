import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { Own } from './own.ts';

interface ConfirmDeleteProps {
  /** The item to delete; the dialog is closed if it is undefined. */
  own: Own | undefined;
  onCancel: () => void;
  onDelete: (own: Own) => void;
}

/** The dialog that confirms a deletion (specification §2, §4). */
export function ConfirmDelete({ own, onCancel, onDelete }: ConfirmDeleteProps) {
  const text = useText();
  const kind = own?.kind ?? 'reels';
  return (
    <Dialog
      open={own !== undefined}
      onClose={onCancel}
      title={text(`profile.confirm.${kind}.title`)}
      closeLabel={text('dialog.close')}
    >
      {own?.caption && (
        <p dir="auto" className="mb-2 line-clamp-2 font-semibold">
          {own.caption}
        </p>
      )}
      <p className="mb-5 text-soft">{text(`profile.confirm.${kind}.text`)}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onCancel}>{text('profile.confirm.keep')}</Button>
        <Button kind="danger" onClick={() => own && onDelete(own)}>
          {text('profile.confirm.delete')}
        </Button>
      </div>
    </Dialog>
  );
}
