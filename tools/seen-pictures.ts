/** Whether every picture in the viewport has loaded, and no placeholder is there; runs inside a page, by `page.waitForFunction`. */
export function seenPicturesAreThere(): boolean {
  const isSeen = (element: Element) => {
    const { top, right, bottom, left, width } = element.getBoundingClientRect();
    const isInside = width > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
    return isInside && element.checkVisibility();
  };
  return (
    [...document.images].every((image) => image.complete || !isSeen(image)) &&
    ![...document.querySelectorAll('.shimmer')].some(isSeen)
  );
}
