/** Shows each row of a table as a card where its columns do not fit, for the console and the guide. */

/** In less room than this, a table with many columns is cards even if its words can be broken so that it fits. */
const leastRoom = 576;

/** Names the column of each cell, for cards, which have no heads. */
export function nameCells(table: HTMLTableElement): void {
  const names = [...(table.tHead?.rows[0]?.cells ?? [])].map(({ textContent }) => textContent);
  for (const body of table.tBodies)
    for (const { cells } of body.rows) for (const [at, cell] of [...cells].entries()) cell.dataset.column = names[at];
}

/** @returns a function that ends it */
export function cardsWhereTight(place: HTMLElement): () => void {
  const measure = () => {
    place.classList.remove('cards');
    const { clientWidth, scrollWidth, classList } = place;
    classList.toggle('cards', scrollWidth > clientWidth || (classList.contains('many') && clientWidth < leastRoom));
  };
  measure();
  // In the next frame: an observer that changes what it observes is an error.
  const watching = new ResizeObserver(() => requestAnimationFrame(measure));
  for (const each of [place, ...place.querySelectorAll('table')]) watching.observe(each);
  return () => watching.disconnect();
}
