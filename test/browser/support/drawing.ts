/** Checks of a drawing on the screen, and its shapes. */
import type { Page } from 'playwright-core';

/** Texts and badges that reach out of the drawing or their container, overlap others, or are too small; one line each. */
export const drawingFlaws = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const svg = document.querySelector('.drawing svg') as SVGSVGElement;
    const whole = svg.getBoundingClientRect();
    const scale = whole.width / svg.viewBox.baseVal.width;
    const named = (element: Element) => (element as SVGElement).dataset.transition ?? element.textContent ?? '';
    const isIn = (inner: DOMRect, outer: DOMRect, slack: number) =>
      inner.left >= outer.left - slack &&
      inner.right <= outer.right + slack &&
      inner.top >= outer.top - slack &&
      inner.bottom <= outer.bottom + slack;
    const flaws: string[] = [];
    for (const each of svg.querySelectorAll('text, .label, .numbers, rect, .tip, .begin')) {
      if (!isIn(each.getBoundingClientRect(), whole, 0.5)) flaws.push(`cut: ${each.tagName} ${named(each)}`);
    }
    for (const text of svg.querySelectorAll('text')) {
      const size = Number.parseFloat(getComputedStyle(text).fontSize) * scale;
      if (size < 10.99) flaws.push(`small: ${text.textContent} ${size}`);
      const own = text.parentElement?.querySelector('rect')?.getBoundingClientRect();
      const { left, right } = text.getBoundingClientRect();
      if (own && (left < own.left - 1 || right > own.right + 1)) flaws.push(`out of its box: ${text.textContent}`);
    }
    const blocks = [
      ...svg.querySelectorAll('.label:not(.inside), .inside .label-action, .numbers, .state:not(.left) .title'),
    ];
    for (const [index, one] of blocks.entries()) {
      for (const other of blocks.slice(index + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // A badge overlaps the upper edge of its label by design.
        if (across > 1 && down > (named(one) === named(other) ? 8 : 1))
          flaws.push(`${named(one)} lies on ${named(other)}`);
      }
    }
    return flaws;
  });

/** Lines, boxes and texts of an SVG with their positions, sorted; without colours, badges and backgrounds. */
export async function shapesIn(page: Page, svg: string): Promise<string[]> {
  // The console's policy forbids parsing an SVG; a blank page has no policy.
  const blank = await page.context().newPage();
  try {
    return await blank.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
      const places = ['x', 'y', 'width', 'height', 'd', 'cx', 'cy', 'transform'];
      return [...parsed.querySelectorAll('path, rect, circle, text')]
        .filter((each) => !each.matches('.back, .inside > .label-back, .numbers *'))
        .map((each) => {
          const at = places.map((name) => each.getAttribute(name)).filter((value) => value !== null);
          return `${each.tagName} ${at.join(' ')} ${each.tagName === 'text' ? each.textContent : ''}`;
        })
        .sort();
    }, svg);
  } finally {
    await blank.close();
  }
}
