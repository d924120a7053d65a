/** Saves the chart as it is shown: with the resource's history and the current colours. */

/** Style properties that are copied into the file, because it has no style sheet. */
const properties = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight', 'text-anchor', 'paint-order', 'stroke-linejoin'],
] as const;

/** Pixels per unit of the drawing, so that it is sharp on paper and on high-resolution screens. */
const pngScale = 2;

export function svgText(svg: SVGSVGElement): string {
  const { width, height } = svg.viewBox.baseVal;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [shown, copied] = [svg, copy].map((root) => [...root.querySelectorAll<SVGElement>('*')]);
  for (const [index, element] of (copied ?? []).entries()) {
    const from = shown?.[index];
    if (from) draw(element, from);
  }
  for (const each of copy.querySelectorAll('.reach')) each.remove();
  copy.removeAttribute('class');
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('role', 'img');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.prepend(background(svg, width, height));
  return new XMLSerializer().serializeToString(copy);
}

function draw(element: SVGElement, shown: SVGElement): void {
  const style = getComputedStyle(shown);
  for (const name of ['role', 'tabindex', 'aria-pressed', 'aria-label', 'style']) element.removeAttribute(name);
  if (!['rect', 'path', 'circle', 'text', 'g'].includes(element.tagName)) return;
  if (element.tagName === 'g') return;
  for (const property of properties) {
    const value = style.getPropertyValue(property);
    if (value !== '' && value !== 'normal') element.setAttribute(property, value);
  }
}

function background(svg: SVGSVGElement, width: number, height: number): SVGRectElement {
  const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  rect.setAttribute('class', 'back');
  rect.setAttribute('width', String(width));
  rect.setAttribute('height', String(height));
  rect.setAttribute('fill', getComputedStyle(svg).getPropertyValue('--panel').trim());
  return rect;
}

/** Null if the browser cannot render one. */
export async function pngOf(svg: SVGSVGElement): Promise<Blob | null> {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`;
  const canvas = document.createElement('canvas');
  canvas.width = width * pngScale;
  canvas.height = height * pngScale;
  try {
    await image.decode();
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  } catch {
    return null;
  }
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
