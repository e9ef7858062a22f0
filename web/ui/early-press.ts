/** The button that was pressed before anybody could hear it. */
declare global {
  interface Window {
    pressed?: HTMLButtonElement;
  }
}

/**
 * Runs before anything is painted: the last press of a button (a form that is sent presses its own) is kept until the
 * page's script has taken it over, and reaches nobody before: React, when it has just begun, would hear it too. Links and
 * forms that need no script go their way.
 */
export const keepPress = `addEventListener('click',(event)=>{const button=event.target.closest?.('button');if(!button||document.documentElement.classList.contains('taken-over'))return;event.preventDefault();event.stopPropagation();window.pressed?.removeAttribute('data-pressed');window.pressed=button;button.setAttribute('data-pressed','')},true)`;

/** Presses the kept button now that it is heard. */
export function pressAgain(): void {
  const { pressed } = window;
  if (!pressed) return;
  delete window.pressed;
  pressed.removeAttribute('data-pressed');
  if (pressed.isConnected) pressed.click();
}
