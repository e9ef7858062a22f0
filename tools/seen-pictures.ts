/** Whether every picture in the viewport has loaded; runs inside a page, by `page.waitForFunction`. */
export function seenPicturesAreThere(): boolean {
  return [...document.images].every((image) => {
    const { top, right, bottom, left, width } = image.getBoundingClientRect();
    const isSeen = width > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return image.complete || !isSeen || !image.checkVisibility();
  });
}
