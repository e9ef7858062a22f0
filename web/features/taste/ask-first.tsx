import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

interface AskFirstProps {
  what: 'forgetAll' | 'switchOff';
  onYes: () => void;
  onClose: () => void;
}

/** Asks before something is forgotten for good. */
export function AskFirst({ what, onYes, onClose }: AskFirstProps) {
  const text = useText();
  return (
    <Dialog open onClose={onClose} title={text(`taste.${what}Title`)} closeLabel={text('dialog.close')}>
      <p className="mb-5 text-soft">{text(`taste.${what}Text`)}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{text('taste.keep')}</Button>
        <Button kind="danger" onClick={onYes}>
          {text(`taste.${what}`)}
        </Button>
      </div>
    </Dialog>
  );
}
