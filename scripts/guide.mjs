/**
 * Builds the guide, which the node serves at /guide: the documents of this checkout as plain pages in dist/guide, each
 * with its compressed forms. Pages have no scripts, and one small style sheet. A link to any other file of the checkout
 * leads to a page with its text; a link that leads nowhere ends the build.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Marked } from 'marked';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const out = path.join(root, 'dist', 'guide');

/** The order of the navigation; `docs/` is left out. Pages of `docs/reference` follow; decisions and charts have an index each. */
const groups = [
  ['Start', ['README', '../README', 'tutorials/integrator', 'tutorials/api']],
  ['By role', ['buyer', 'seller', 'arbiter', 'auditor', 'operator'].map((name) => `tutorials/${name}`)],
  [
    'Guides',
    ['escrows', 'identities', 'wallets', 'searching', 'information', 'tasks', 'leases', 'contracts', 'reputation'],
  ],
  ['Tools', ['client', 'command-line', 'webhooks', 'testing', 'state-charts']],
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
        return `<pre><code>${escaped(text)}\n</code></pre>\n`;
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

const page = (name) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(titleOf(name))} – svc-node</title>
<link rel="stylesheet" href="${name === index ? 'guide/style.css' : 'style.css'}">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a href="${addressOf(name, index)}"><strong>svc-node</strong> guide</a> <a href="${name === index ? 'console' : '../console'}">Console</a> <a href="${name === index ? 'docs' : '../docs'}">API</a></header>
<div class="columns">
<nav aria-label="Documents"><details open><summary>Contents</summary>
${navigationOf(name)}
</details></nav>
<main id="main">
${bodyOf(name)}</main>
</div>
</body>
</html>
`;

function write(file, bytes) {
  writeFileSync(path.join(out, file), bytes);
  if (file.endsWith('.png')) return; // compressed already
  writeFileSync(path.join(out, `${file}.br`), brotliCompressSync(bytes));
  writeFileSync(path.join(out, `${file}.gz`), gzipSync(bytes, { level: 9 }));
}

if (existsSync(out)) rmSync(out, { recursive: true });
mkdirSync(out, { recursive: true });
// A page that is found while the loop runs is added to the end of the set, and so is written, too.
for (const name of found) {
  if (isImage(name)) write(pageOf(name), readFileSync(at(name)));
  else write(name === index ? 'index.html' : `${pageOf(name)}.html`, Buffer.from(page(name)));
}
write('style.css', readFileSync(at('scripts/guide.css')));
