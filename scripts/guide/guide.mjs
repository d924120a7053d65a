/**
 * Builds the guide, which the node serves at /guide: the documents of this checkout as plain pages in dist/guide, each
 * with its compressed forms. They are read without scripts; search, copying and the choice of light or dark have one. A
 * link to any other file of the checkout leads to a page with its text; a link that leads nowhere ends the build.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import hljs from 'highlight.js/lib/common';
import { Marked } from 'marked';
import { rolldown } from 'rolldown';
import { apiPages } from './api.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const out = path.join(root, 'dist', 'guide');

/** The order of the navigation; `docs/` is left out. Pages of `docs/reference` follow; decisions and charts have an index each. */
const groups = [
  ['Start', ['README', '../README', 'tutorials/integrator', 'tutorials/api']],
  ['By role', ['buyer', 'seller', 'arbiter', 'auditor', 'operator'].map((name) => `tutorials/${name}`)],
  [
    'Guides',
    ['escrows', 'identities', 'wallets', 'searching', 'information', 'tasks', 'leases', 'contracts', 'reputation'],
  ],
  ['Tools', ['client', 'mcp', 'command-line', 'webhooks', 'testing', 'state-charts']],
  ['Check', ['auditing', 'settlement']],
  ['Run', ['operations', 'peers', 'mongodb', 'upgrades', 'benchmarks', 'generated/configuration']],
  ['Look up', ['GLOSSARY', 'generated/errors', 'generated/events', 'generated/aliases', 'generated/machines/README']],
  ['The code', ['ARCHITECTURE', 'decisions/README', '../CONTRIBUTING', '../SECURITY', '../CHANGELOG']],
];

const at = (name) => path.join(root, name);
const isFile = (name) => existsSync(at(name)) && statSync(at(name)).isFile();
const textOf = (name) => readFileSync(at(name), 'utf8');
const documents = readdirSync(at('docs'), { recursive: true })
  .map((name) => path.posix.join('docs', name.replaceAll('\\', '/')))
  .filter((name) => name.endsWith('.md'))
  .sort();
const listed = groups.map(([heading, names]) => [heading, names.map((name) => path.posix.join('docs', `${name}.md`))]);
const navigation = [...listed, ['Reference', documents.filter((name) => name.startsWith('docs/reference/'))]];

const index = 'docs/README.md';
/** What other routes of the node serve. */
const served = new Map([['docs/generated/openapi.json', 'openapi.json']]);
const isImage = (name) => /\.(svg|png)$/.test(name);
const isMarkdown = (name) => name.endsWith('.md');

/** Names that are built so far, or waiting: pages are found by the links to them. */
const found = new Set([index, ...documents, ...listed.flatMap(([, names]) => names)]);

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
/** `docs/tutorials/buyer.md` is the page `tutorials.buyer`, and `examples/verifier/README.md` is `examples.verifier`. */
const pageOf = (name) =>
  name
    .replace(/^docs\/(?!README)/, '')
    .replace(/(?<=.)\/README\.md$|\.md$/, '')
    .replaceAll('/', '.')
    .toLowerCase();
/**
 * A relative address, because a node may be published below a path. The index is at `guide`, all other pages are below
 * it.
 */
const addressOf = (from, name) => {
  const page = served.get(name) ?? (name === index ? 'guide' : `guide/${pageOf(name)}`);
  if (from === index) return page;
  return page.startsWith('guide/') ? page.slice('guide/'.length) : `../${page}`;
};
const titleOf = (name) => {
  if (name === index) return 'Documents';
  if (name === 'README.md') return 'A short tour';
  return ((isMarkdown(name) && /^# (.+)$/m.exec(textOf(name))?.[1]) || path.posix.basename(name)).replaceAll('`', '');
};

/** Slugs as GitHub generates them, so that links to headings work in both places. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/** @returns the address of a file that a document names; from then on the file is a page of the guide */
function linkFrom(from, href) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [file, anchor] = href.split('#');
  const named = path.posix.join(path.posix.dirname(from), file).replace(/\/$/, '');
  const name = isFile(named) ? named : path.posix.join(named, 'README.md');
  if (named.startsWith('..') || !isFile(name)) throw new Error(`${from} links to ${href}, which is not there`);
  if (!served.has(name)) found.add(name);
  return addressOf(from, name) + (anchor === undefined ? '' : `#${anchor}`);
}

const imageFrom = (from, href, text) =>
  `<img src="${escaped(linkFrom(from, href))}" alt="${escaped(text)}" loading="lazy">`;

const highlighted = (text, language) =>
  hljs.getLanguage(language ?? '') ? hljs.highlight(text, { language }).value : escaped(text);

function bodyOf(name) {
  const slugs = new Map();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const slug = slugOf(text);
        const count = slugs.get(slug) ?? 0;
        slugs.set(slug, count + 1);
        const id = count === 0 ? slug : `${slug}-${count}`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escaped(linkFrom(name, href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image: ({ href, text }) => imageFrom(name, href, text),
      /** A diagram for Mermaid, which needs a script, is replaced by the drawing of the same chart, if there is one. */
      code({ lang, text }) {
        const drawing = `${path.posix.basename(name, '.md')}.svg`;
        const isDrawn = lang === 'mermaid' && isFile(path.posix.join(path.posix.dirname(name), drawing));
        if (isDrawn) return `<p>${imageFrom(name, drawing, `State chart of ${titleOf(name)}`)}</p>\n`;
        return `<pre><code>${highlighted(text, lang)}\n</code></pre>\n`;
      },
      // Escapes text such as <network>, which is not markup.
      html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
    },
  });
  if (!isMarkdown(name))
    return `<h1>${escaped(name)}</h1>\n<pre tabindex="0"><code>${escaped(textOf(name))}</code></pre>\n`;
  return marked
    .parse(textOf(name))
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

function navigationOf(name) {
  const lists = navigation.map(([heading, names]) => {
    const items = names.map((each) => {
      const current = each === name ? ' aria-current="page"' : '';
      return `<li><a href="${addressOf(name, each)}"${current}>${escaped(titleOf(each))}</a></li>`;
    });
    return `<h2>${heading}</h2><ul>${items.join('')}</ul>`;
  });
  return lists.join('\n');
}

const order = navigation.flatMap(([, names]) => names);

/** Links to the pages before and after one in the navigation. */
function neighboursOf(name) {
  const place = order.indexOf(name);
  const link = (rel, word, other) =>
    other
      ? `<a rel="${rel}" href="${addressOf(name, other)}"><small>${word}</small> ${escaped(titleOf(other))}</a>`
      : '';
  if (place < 0) return '';
  const links = [link('prev', 'Previous', order[place - 1]), link('next', 'Next', order[place + 1])];
  return `<nav class="neighbours" aria-label="Previous and next page">${links.join('')}</nav>\n`;
}

const plainOf = (markup) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, sign) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[sign])
    .replace(/\s+/g, ' ')
    .trim();

/** What the search looks through: the text below each heading. */
function sectionsOf(name, body) {
  const [page, title] = [name === index ? '' : pageOf(name), titleOf(name)];
  return body.split(/(?=<h[1-4] id=)/).flatMap((part) => {
    const [, slug = '', heading = '', text = ''] = /^<h[1-4] id="([^"]*)">(.*?)<\/h[1-4]>(.*)$/s.exec(part) ?? [];
    return slug === '' ? [] : [{ page, slug, title, heading: plainOf(heading), text: plainOf(text) }];
  });
}

/** @param isTop whether the page lies beside the guide's folder, as the two indexes do @param navigation its heading and its links */
const pageAround = ({ title, part, isTop, body, navigation: [heading, links] }) => {
  const [assets, parts] = isTop ? ['guide/', ''] : ['', '../'];
  const here = (each) => (each === part ? ' aria-current="true"' : '');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} – svc-node</title>
<link rel="icon" type="image/svg+xml" href="${assets}icon.svg">
<link rel="stylesheet" href="${assets}style.css">
<script src="${assets}theme.mjs"></script>
<script type="module" src="${assets}page.mjs"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="brand" href="${parts}console"><img src="${assets}icon.svg" alt="" width="24" height="24"> svc-node</a>
<nav aria-label="Parts of the node"><a href="${parts}console">Console</a> <a href="${parts}guide"${here('guide')}>Guide</a> <a href="${parts}docs"${here('docs')}>API</a> <a class="to-contents" href="#contents">Contents</a></nav>
<form class="search" role="search" hidden><input type="search" aria-label="Search guide and API" placeholder="Search guide and API" autocomplete="off" spellcheck="false"><ul></ul></form>
<button type="button" class="theme" hidden></button>
</header>
<div class="columns">
<main id="main">
${body}</main>
<nav id="contents" class="contents" aria-label="${heading}">
${links}
</nav>
</div>
</body>
</html>
`;
};

const page = (name, body) =>
  pageAround({
    ...{ title: titleOf(name), part: 'guide', isTop: name === index },
    body: `${body}${neighboursOf(name)}`,
    navigation: ['Documents', navigationOf(name)],
  });

function write(file, bytes, quality = constants.BROTLI_MAX_QUALITY) {
  writeFileSync(path.join(out, file), bytes);
  if (file.endsWith('.png')) return; // compressed already
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  writeFileSync(path.join(out, `${file}.br`), brotliCompressSync(bytes, { params }));
  writeFileSync(path.join(out, `${file}.gz`), gzipSync(bytes, { level: 9 }));
}

if (existsSync(out)) rmSync(out, { recursive: true });
mkdirSync(out, { recursive: true });
const sections = [];
// A page that is found while the loop runs is added to the end of the set, and so is written, too.
for (const name of found) {
  if (isImage(name)) write(pageOf(name), readFileSync(at(name)));
  else {
    const body = bodyOf(name);
    write(name === index ? 'index.html' : `${pageOf(name)}.html`, Buffer.from(page(name, body)));
    if (isMarkdown(name)) sections.push(...sectionsOf(name, body));
  }
}
const markdown = new Marked({ renderer: { html: ({ text }) => escaped(text) } });
/** Links of the OpenAPI document are addresses of the node. @param to where the node's addresses begin, from this page */
const local = (markup, to) => markup.replaceAll('href="/', `href="${to}`);
const apiTools = {
  ...{ escaped, slugOf, highlighted },
  inline: (text) => local(markdown.parseInline(text), '../'),
  block: (text, to = '../') => local(markdown.parse(text), to),
  titles: (name) => titleOf([...found].find((each) => isMarkdown(each) && pageOf(each) === name)),
};
for (const { name, title, body, navigation: links, section } of apiPages(root, apiTools)) {
  const markup = pageAround({ title, part: 'docs', isTop: name === 'docs', body, navigation: ['Operations', links] });
  // There are many, and the best compression of all takes longer than all else here.
  write(`${name}.html`, Buffer.from(markup), 9);
  if (section) sections.push({ ...section, text: plainOf(section.text) });
}
write('sections.mjs', Buffer.from(`export default ${JSON.stringify(sections)};\n`));
write(
  'style.css',
  Buffer.concat([readFileSync(at('console/style/tokens.css')), readFileSync(path.join(here, 'guide.css'))]),
);
write('icon.svg', readFileSync(at('console/icon.svg')));
// A page waits for a classic script, and not for a module.
for (const [name, format] of [
  ['theme', 'iife'],
  ['page', 'esm'],
]) {
  const bundle = await rolldown({ input: path.join(here, `${name}.mjs`) });
  const names = { chunkFileNames: '[name].mjs', entryFileNames: '[name].mjs' };
  const { output } = await bundle.generate({ ...names, format, minify: true });
  for (const { fileName, code } of output) write(fileName, Buffer.from(code));
}
