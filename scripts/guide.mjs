/**
 * Builds the guide, which the node serves at /guide: docs/*.md as plain pages in dist/guide, each with its compressed
 * forms. Pages have no scripts, and one small style sheet.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Marked } from 'marked';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const docs = path.join(root, 'docs');
const out = path.join(root, 'dist', 'guide');

/** Pages that are left out, because they are about the code, or are drawn elsewhere. */
const isLeftOut = (name) => /^(ARCHITECTURE|benchmarks)\.md$|^(decisions|generated\/machines)\//.test(name);

/** The order of the navigation; pages that are not listed appear under the last heading. */
const groups = [
  ['Start', ['README', 'tutorials/integrator', 'tutorials/api']],
  ['By role', ['buyer', 'seller', 'arbiter', 'auditor', 'operator'].map((name) => `tutorials/${name}`)],
  [
    'Guides',
    ['escrows', 'identities', 'wallets', 'searching', 'information', 'tasks', 'leases', 'contracts', 'reputation'],
  ],
  ['Tools', ['client', 'command-line', 'webhooks', 'testing', 'state-charts']],
  ['Check', ['auditing', 'settlement']],
  ['Run', ['operations', 'mongodb', 'upgrades', 'generated/configuration']],
  ['Look up', ['GLOSSARY', 'generated/errors', 'generated/events']],
];

const found = readdirSync(docs, { recursive: true })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.md') && !isLeftOut(name))
  .sort();
const listed = groups.map(([heading, names]) => [heading, names.map((name) => `${name}.md`)]);
const named = new Set(listed.flatMap(([, names]) => names));
const navigation = [...listed, ['Reference', found.filter((name) => !named.has(name))]];

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
/** `tutorials/buyer.md` is the page `tutorials.buyer`; the index is the guide itself. */
const pageOf = (name) => name.replace(/\.md$/, '').replaceAll('/', '.');
const isIndex = (name) => name === 'README.md';
/**
 * A relative address, because a node may be published below a path. The index is at `guide`, all other pages are below
 * it.
 */
const addressOf = (from, name) => {
  if (isIndex(from)) return isIndex(name) ? 'guide' : `guide/${pageOf(name)}`;
  return isIndex(name) ? '../guide' : pageOf(name);
};
const textOf = (name) => readFileSync(path.join(docs, name), 'utf8');
const titleOf = (name) =>
  isIndex(name) ? 'Documents' : (/^# (.+)$/m.exec(textOf(name))?.[1] ?? pageOf(name)).replaceAll('`', '');

/** Slugs as GitHub generates them, so that links to headings work in both places. */
const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

function linkFrom(from, href) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [file, anchor] = href.split('#');
  const name = path.posix.normalize(path.posix.join(path.posix.dirname(from), file));
  if (!found.includes(name)) return undefined;
  return addressOf(from, name) + (anchor === undefined ? '' : `#${anchor}`);
}

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
        const address = linkFrom(name, href);
        const label = this.parser.parseInline(tokens);
        return address === undefined ? label : `<a href="${escaped(address)}">${label}</a>`;
      },
      image: ({ text }) => escaped(text),
      // Escapes text such as <network>, which is not markup.
      html: ({ text }) => (text.startsWith('<!--') ? '' : escaped(text)),
    },
  });
  return marked
    .parse(textOf(name))
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<pre>', '<pre tabindex="0">');
}

function navigationOf(name) {
  const lists = navigation.map(([heading, names]) => {
    const items = names
      .filter((each) => found.includes(each))
      .map((each) => {
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
<link rel="stylesheet" href="${isIndex(name) ? 'guide/style.css' : 'style.css'}">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a href="${addressOf(name, 'README.md')}"><strong>svc-node</strong> guide</a> <a href="${isIndex(name) ? 'console' : '../console'}">Console</a> <a href="${isIndex(name) ? 'docs' : '../docs'}">API</a></header>
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

function write(file, text) {
  const bytes = Buffer.from(text);
  writeFileSync(path.join(out, file), bytes);
  writeFileSync(path.join(out, `${file}.br`), brotliCompressSync(bytes));
  writeFileSync(path.join(out, `${file}.gz`), gzipSync(bytes, { level: 9 }));
}

if (existsSync(out)) rmSync(out, { recursive: true });
mkdirSync(out, { recursive: true });
for (const name of found) write(isIndex(name) ? 'index.html' : `${pageOf(name)}.html`, page(name));
write('style.css', readFileSync(path.join(root, 'scripts', 'guide.css'), 'utf8'));
