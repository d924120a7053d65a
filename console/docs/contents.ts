/** A table of contents at the side of the page: each tag with its operations, as links that open them. */
import type { Ui } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

interface SampledOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
}

interface SampledDocument {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: SampledOperation } };
}

export function showContents(nav: HTMLElement, ui: Ui): void {
  const { tags, paths } = ui.specSelectors.specJson().toJS() as SampledDocument;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const groups = tags.map(({ name }) => {
    const items = operations
      .filter((operation) => operation.tags.includes(name))
      .map((operation) => element('li', linkTo(operation, name, ui)));
    return element('details', element('summary', name), element('ul', ...items));
  });
  const all = element('details', element('summary', 'Contents'), ...groups);
  all.open = matchMedia('(min-width: 70rem)').matches;
  nav.replaceChildren(all);
}

/** The address is the one that Swagger UI gives an operation, and reads when the page is loaded. */
function linkTo({ operationId, summary }: SampledOperation, tag: string, ui: Ui): HTMLAnchorElement {
  const link = element('a', operationId);
  link.href = `#/${encodeURIComponent(tag)}/${operationId}`;
  link.title = summary;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    history.replaceState(null, '', link.href);
    ui.layoutActions.updateFilter('');
    ui.layoutActions.parseDeepLinkHash(decodeURIComponent(link.hash));
    focusWhenDrawn(`${boxOf(operationId)} button`);
  });
  return link;
}

const boxOf = (operationId: string): string => `[id^="operations-"][id$="-${CSS.escape(operationId)}"]`;

/**
 * Opens the operation that the address names, now and whenever the address changes. Swagger UI draws only what is near the
 * view, and scrolls to an operation when it is drawn: one far below is drawn after an update of the filter. Sections that are
 * drawn later can move it away again, so this looks again for some seconds, unless the reader does something.
 */
export function followAddress(ui: Ui): void {
  let timer: ReturnType<typeof setTimeout>;
  const open = (attempts: number) => {
    const [, , operationId] = location.hash.split('/');
    if (operationId === undefined || attempts === 0) return;
    if (!isInView(document.querySelector(`${boxOf(operationId)}.is-open`))) {
      ui.layoutActions.updateFilter('');
      ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash));
    }
    timer = setTimeout(() => open(attempts - 1), 250);
  };
  for (const act of ['wheel', 'pointerdown', 'keydown', 'touchstart']) {
    addEventListener(act, () => clearTimeout(timer), { passive: true });
  }
  addEventListener('hashchange', () => {
    clearTimeout(timer);
    open(20);
  });
  open(20);
}

function isInView(element: Element | null): boolean {
  const box = element?.getBoundingClientRect();
  return box !== undefined && box.top < innerHeight && box.bottom > 0;
}

/** Swagger UI draws what is in view only, so the operation appears some frames after the page has scrolled to it. */
function focusWhenDrawn(selector: string, frames = 120): void {
  const button = document.querySelector<HTMLElement>(selector);
  if (button) button.focus({ preventScroll: true });
  else if (frames > 0) requestAnimationFrame(() => focusWhenDrawn(selector, frames - 1));
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}
