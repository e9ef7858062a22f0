/*
 * The script's part of `fonts.css`. A font that is late is not used before the next page, but the browser decides so only a tenth of a
 * second after the layout first asked for it, and what is painted until then would move when the font arrives.
 */

/**
 * Runs before the first paint: hides the page until the fonts that it uses are loaded, or the browser has given them up for this page. That
 * is 100 ms after the first layout, during which text without its font is invisible anyway.
 */
export const awaitFonts = `(d=>{if(!d.fonts)return;const l=d.documentElement.classList,show=()=>l.remove('awaits-fonts');l.add('awaits-fonts');requestAnimationFrame(()=>{d.body.offsetHeight;setTimeout(show,150);d.fonts.ready.then(show)})})(document)`;
