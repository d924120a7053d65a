/** Comments cite rules by file and heading (`docs/reference/escrows.md#release`). Every citation must lead to one. */
import { existsSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { filesIn, textOf } from './sources.js';

const folders = ['src', 'test', 'scripts', 'console', 'packages', 'bin', 'examples'].filter(existsSync);
const suffixes = ['.ts', '.tsx', '.mjs', '.css', '.sol'];
const isBuilt = (file: string): boolean => /(^|\/)(node_modules|dist)\//.test(file);
const cited = () =>
  folders.flatMap((folder) => suffixes.flatMap((suffix) => filesIn(folder, suffix))).filter((file) => !isBuilt(file));

/** A page of the repository with an optional heading, or a decision by its number. */
const citation = /\b(?:docs\/[\w/-]+\.md|[A-Z]{4,}\.md)(?:#[\w-]+)?|\bdocs\/(?:reference\/|decisions\/)[\w-]+/g;
/** Documents that are not in the repository. */
const absent =
  /\b(?:decisions|design|interface|vocabulary|style|peers)\.md\b|\((?:the )?(?:interface|design|decisions)[,:]/;

/** The anchors that GitHub makes of a page's headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const headings = textOf(page)
    .replace(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  for (const [, heading] of headings) {
    const slug = heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/ /g, '-');
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy++) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Why the citation leads nowhere; undefined if it leads to a heading, a page or a decision. */
function faultOf(text: string): string | undefined {
  const [page, anchor] = text.split('#') as [string, string | undefined];
  const [, number] = /^docs\/decisions\/(\d{4})$/.exec(page) ?? [];
  if (number) {
    const files = readdirSync('docs/decisions').filter((name) => name.startsWith(`${number}-`));
    return files.length === 1 ? undefined : 'no such decision';
  }
  if (!page.endsWith('.md')) return 'names no page';
  if (!existsSync(page)) return 'no such page';
  return anchor === undefined || anchorsOf(page).has(anchor) ? undefined : 'no such heading';
}

/** The lines of `text` whose citation leads nowhere. */
function faultsIn(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const faults = [...line.matchAll(citation)].flatMap(([found]) => {
      const fault = faultOf(found);
      return fault ? [`${file}:${index + 1} ${found}: ${fault}`] : [];
    });
    return absent.test(line) ? [...faults, `${file}:${index + 1} ${line.trim()}: not in the repository`] : faults;
  });
}

describe('Citations', () => {
  const own = 'test/architecture/citations.test.ts';

  it('lead to a page, heading or decision of the repository', () => {
    const files = cited().filter((file) => file !== own);
    expect(files.flatMap((file) => faultsIn(file, textOf(file)))).to.deep.equal([]);
  });

  it('of the documents lead somewhere as well', () => {
    const pages = [...filesIn('docs', '.md'), ...readdirSync('.').filter((name) => name.endsWith('.md'))];
    const faults = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\]\(([^)\s:]+\.md)?(#[\w-]+)?\)/g)].flatMap(([found, path, anchor]) => {
        const folder = page.includes('/') ? page.slice(0, page.lastIndexOf('/') + 1) : '';
        const target = path === undefined ? page : new URL(path, `file:///${folder}`).pathname.slice(1);
        if (!existsSync(target)) return [`${page}: ${found}`];
        return anchor && !anchorsOf(target).has(anchor.slice(1)) ? [`${page}: ${found}`] : [];
      }),
    );
    expect(faults).to.deep.equal([]);
  });

  it('of files in the documents name files that there are', () => {
    const pages = [...filesIn('docs', '.md'), 'README.md', 'CONTRIBUTING.md', 'SECURITY.md'];
    // Measurements name files as they were at their time.
    const current = pages.filter((page) => !/^docs\/generated\/|benchmarks/.test(page));
    const file = /`((?:src|test|scripts|packages|console|deploy|examples|docs|bin)\/[\w./-]+)`/g;
    const gone = current.flatMap((page) =>
      [...textOf(page).matchAll(file)].flatMap(([, path]) => (existsSync(path!) ? [] : [`${page}: ${path}`])),
    );
    expect(gone).to.deep.equal([]);
  });

  it('that lead nowhere are found', () => {
    const planted = [
      'docs/reference/escrows.md#no-such-heading',
      'docs/reference/no-such-page.md',
      'docs/reference/escrows',
      'docs/decisions/9999',
      'decisions.md, Escrows',
      '(interface, Node)',
    ];
    expect(planted.filter((text) => faultsIn('planted', text).length === 0)).to.deep.equal([]);
    expect(faultsIn('planted', 'docs/reference/escrows.md#release, docs/decisions/0003')).to.deep.equal([]);
  });
});
