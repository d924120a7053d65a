/** What a page of the guide does with a script: search, copying, light or dark, tables as cards. All else needs none. */

import { cardsWhereTight, nameCells } from '../../console/parts/cards.ts';
import { keptTheme, showTheme, themeAfter, themeTitles } from '../../console/shell/themes.ts';

const folder = new URL('.', import.meta.url);
const shown = 12;

const made = (tag, members = {}, ...inside) => {
  const element = Object.assign(document.createElement(tag), members);
  element.append(...inside);
  return element;
};

// --- light or dark

const button = document.querySelector('.theme');
let theme = keptTheme();
const say = () => {
  button.textContent = themeTitles[theme];
};
button.addEventListener('click', () => {
  theme = themeAfter(theme);
  showTheme(theme);
  say();
});
say();
button.hidden = false;

// --- samples are for this node

const texts = document.querySelectorAll('.sample code, .sample code *');
for (const text of [...texts].flatMap(({ childNodes }) => [...childNodes])) {
  if (text.nodeType === Node.TEXT_NODE) text.data = text.data.replace('http://127.0.0.1:9528', location.origin);
}

// --- copying

for (const block of document.querySelectorAll('main pre')) {
  const copy = made('button', { type: 'button', className: 'copy', textContent: 'Copy' });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2_000);
  });
  const frame = made('div', { className: 'block' });
  block.replaceWith(frame);
  frame.append(block, copy);
}

// --- tables

for (const place of document.querySelectorAll('.wide')) {
  nameCells(place.querySelector('table'));
  cardsWhereTight(place);
}

// --- search

const form = document.querySelector('.search');
const field = form.querySelector('input');
const list = form.querySelector('ul');
let index;

const load = async () => {
  const sections = new URL('sections.mjs', folder).href;
  const [{ indexOf }, { default: all }] = await Promise.all([import('./search.mjs'), import(sections)]);
  return indexOf(all);
};

async function search() {
  const text = field.value.trim();
  if (text === '') return list.replaceChildren();
  index ??= load();
  const found = (await index)(text).slice(0, shown);
  if (field.value.trim() !== text) return;
  const items = found.map(({ page, slug, title, heading }) => {
    const address = page === '' ? new URL('../guide', folder) : new URL(page, folder);
    if (slug) address.hash = slug;
    const place = heading && heading !== title ? made('small', { textContent: title }) : '';
    return made('li', {}, made('a', { href: address.href }, heading || title, place));
  });
  if (items.length === 0) items.push(made('li', { textContent: 'Nothing is called that.' }));
  const onNode = `${new URL('../console', folder)}#/find?${new URLSearchParams({ text })}`;
  list.replaceChildren(
    ...items,
    made('li', {}, made('a', { href: onNode, textContent: `Search the node for “${text}”` })),
  );
}
field.addEventListener('input', search);
field.addEventListener('focus', () => {
  index ??= load();
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  list.querySelector('a')?.click();
});
form.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Escape') field.value = '';
  if (event.key === 'Escape') list.replaceChildren();
  if (!step) return;
  event.preventDefault();
  const places = [field, ...list.querySelectorAll('a')];
  places[places.indexOf(document.activeElement) + step]?.focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) return;
  event.preventDefault();
  field.focus();
});
form.hidden = false;
const asked = /^#search=(.*)$/.exec(location.hash)?.[1];
if (asked !== undefined) {
  field.value = decodeURIComponent(asked);
  field.focus();
  search();
}
