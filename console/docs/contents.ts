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
    focusWhenDrawn(`[id^="operations-"][id$="-${CSS.escape(operationId)}"] button`);
  });
  return link;
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
