/** The documents as the node serves them: readable without scripts, small, and without a broken link. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { guideRoutes } from '../../src/http/routes/console.js';
import { builtGuide, readConsole } from '../../src/http/routes/console-files.js';
import { filesIn } from '../architecture/sources.js';
import { problemIn, start, stopAll } from './support.js';

/** Number of links in a document, not in its code, and without images. */
const linksOf = (markdown: string): number => {
  const prose = markdown.replace(/^ *```.*?^ *```/gms, '').replace(/`[^`\n]*`/g, 'code');
  const links = prose.match(/(?<!!)\[[^\]]*\]\([^)\s]+\)/g)?.length ?? 0;
  return links + (prose.match(/<https?:[^>]+>/g)?.length ?? 0);
};

const pageNameOf = (file: string): string =>
  file
    .replace(/^docs\/|\.md$/g, '')
    .replace(/\/README$/, '')
    .replaceAll('/', '.')
    .toLowerCase();

describe('the guide', () => {
  after(stopAll);
  let url: string;
  before(async () => {
    ({ url } = await start(guideRoutes()));
  });

  it('is a page whose scripts are the node’s own, in a form that allows none from elsewhere', async () => {
    const reply = await fetch(`${url}/guide`, { headers: { 'Accept-Encoding': 'br' } });
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-security-policy')).to.match(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(reply.headers.get('cache-control')).to.equal('no-cache');
    expect(reply.headers.get('content-encoding')).to.equal('br');
    expect(await reply.text())
      .to.include('<h1 id="documents">')
      .and.not.match(/<script(?! (?:type="module" )?src="guide\/\w+\.mjs"><\/script>)|<style|\son\w+=/);
    const script = await fetch(`${url}/guide/page.mjs`);
    expect(script.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    const sections = await (await fetch(`${url}/guide/sections.mjs`)).text();
    expect(sections).to.include('"heading":"Batches"');
    const style = await fetch(`${url}/guide/style.css`);
    expect(style.headers.get('content-type')).to.equal('text/css; charset=utf-8');
    const page = await fetch(`${url}/guide/tutorials.buyer`);
    expect(await page.text()).to.include('Buy with an escrow');
    const glossaries = await Promise.all(['glossary', 'GLOSSARY'].map((name) => fetch(`${url}/guide/${name}`)));
    expect(glossaries.map(({ status }) => status)).to.deep.equal([200, 200]);
    const drawing = await fetch(`${url}/guide/generated.machines.escrow.svg`);
    expect(drawing.headers.get('content-type')).to.equal('image/svg+xml');
    await problemIn(await fetch(`${url}/guide/nothing`), { code: 'NOT_FOUND', url });
    await problemIn(await fetch(`${url}/guide/..%2fconsole%2findex`), { code: 'NOT_FOUND', url });
  });

  it('has a small page for each operation of the API, and an index of them, under the same policy', async () => {
    const reply = await fetch(`${url}/docs`);
    const policy = reply.headers.get('content-security-policy')!;
    expect(policy).to.match(/^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
    expect(policy).to.not.match(/unsafe|http|\*/);
    const index = await reply.text();
    const operations = JSON.parse(readFileSync('docs/generated/operations.json', 'utf8')) as { operationId: string }[];
    const files = await readConsole(builtGuide);
    expect(operations.length).to.be.above(100);
    for (const { operationId } of operations) {
      const name = `api.${operationId.toLowerCase()}`;
      expect(index).to.include(`<a href="guide/${name}">${operationId}</a>`);
      const { plain, coded } = files.get(`${name}.html`)!;
      expect(Buffer.from(plain).toString('utf8'), name).to.not.match(/<style|\son\w+=|style="|>undefined</);
      expect(coded[0]![1].length, name).to.be.below(16_384);
    }
  });

  it('links to pages and headings that are there, and its first page is small', async () => {
    const files = await readConsole(builtGuide);
    const text = (name: string) => Buffer.from(files.get(name)!.plain).toString('utf8');
    const pages = [...files.keys()].filter((name) => name.endsWith('.html'));
    expect(pages.length).to.be.above(30);
    expect(pages).to.include.members(['glossary.html', 'changelog.html', 'decisions.html', 'examples.verifier.html']);
    const broken = pages.flatMap((name) => {
      const tops: { readonly [name: string]: string } = { 'index.html': 'guide', 'docs.html': 'docs' };
      const base = tops[name] ? `http://x/${tops[name]}` : `http://x/guide/${name.replace('.html', '')}`;
      const links = [...text(name).matchAll(/(?:href|src)="([^"]*)"/g)].map(([, href]) => new URL(href!, base));
      return links.filter((link) => !isThere(link)).map((link) => `${name}: ${link.href}`);
    });
    function isThere({ host, pathname, hash }: URL): boolean {
      if (host !== 'x' || ['/console', '/openapi.json'].includes(pathname) || /^\/errors\/[A-Z_]+$/.test(pathname))
        return true;
      const [, named = ''] = /^\/guide\/(.+)$/.exec(pathname) ?? [];
      if (/\.(css|mjs|svg|png)$/.test(named)) return files.has(named);
      const file = { '/guide': 'index.html', '/docs': 'docs.html' }[pathname] ?? `${named}.html`;
      return files.has(file) && (hash === '' || text(file).includes(`id="${decodeURIComponent(hash.slice(1))}"`));
    }
    expect(broken).to.deep.equal([]);
    for (const [document, name] of [
      ['docs/README.md', 'index.html'],
      ['README.md', 'readme.html'],
      ...filesIn('docs', '.md').map((file) => [file, `${pageNameOf(file)}.html`]),
    ] as const) {
      if (document === 'docs/README.md' && name !== 'index.html') continue;
      const [, main = ''] = /<main id="main">(.*)<\/main>/s.exec(text(name)) ?? [];
      expect(main.match(/<a /g)?.length ?? 0, `links of ${document}`).to.be.at.least(
        linksOf(readFileSync(document, 'utf8')),
      );
    }
    const first = [files.get('index.html')!, files.get('style.css')!];
    const bytes = first.reduce((sum, { coded }) => sum + coded[0]![1].length, 0);
    expect(bytes, 'of page and style, compressed').to.be.below(8_192);
  });
});
