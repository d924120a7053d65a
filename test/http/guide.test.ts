/** The documents as the node serves them: no script, small, and no broken link. */
import { expect } from 'chai';
import { guideRoutes } from '../../src/http/routes/console.js';
import { builtGuide, readConsole } from '../../src/http/routes/console-files.js';
import { problemIn, start, stopAll } from './support.js';

describe('the guide', () => {
  after(stopAll);
  let url: string;
  before(async () => {
    ({ url } = await start(guideRoutes()));
  });

  it('is a page without scripts, in a form that allows none from elsewhere', async () => {
    const reply = await fetch(`${url}/guide`, { headers: { 'Accept-Encoding': 'br' } });
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-security-policy')).to.match(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(reply.headers.get('cache-control')).to.equal('no-cache');
    expect(reply.headers.get('content-encoding')).to.equal('br');
    expect(await reply.text())
      .to.include('<h1 id="documents">')
      .and.not.match(/<script|<style|\son\w+=/);
    const style = await fetch(`${url}/guide/style.css`);
    expect(style.headers.get('content-type')).to.equal('text/css; charset=utf-8');
    const page = await fetch(`${url}/guide/tutorials.buyer`);
    expect(await page.text()).to.include('Buy with an escrow');
    await problemIn(await fetch(`${url}/guide/nothing`), { code: 'NOT_FOUND', url });
    await problemIn(await fetch(`${url}/guide/..%2fconsole%2findex`), { code: 'NOT_FOUND', url });
  });

  it('links to pages and headings that are there, and its first page is small', async () => {
    const files = await readConsole(builtGuide);
    const text = (name: string) => Buffer.from(files.get(name)!.plain).toString('utf8');
    const pages = [...files.keys()].filter((name) => name.endsWith('.html'));
    expect(pages.length).to.be.above(30);
    const broken = pages.flatMap((name) => {
      const base = name === 'index.html' ? 'http://x/guide' : `http://x/guide/${name.replace('.html', '')}`;
      const links = [...text(name).matchAll(/href="([^"]*)"/g)].map(([, href]) => new URL(href!, base));
      return links.filter((link) => !isThere(link)).map((link) => `${name}: ${link.href}`);
    });
    function isThere({ host, pathname, hash }: URL): boolean {
      if (host !== 'x' || ['/console', '/docs'].includes(pathname)) return true;
      if (pathname === '/guide/style.css') return true;
      const file = pathname === '/guide' ? 'index.html' : `${pathname.replace('/guide/', '')}.html`;
      return files.has(file) && (hash === '' || text(file).includes(`id="${decodeURIComponent(hash.slice(1))}"`));
    }
    expect(broken).to.deep.equal([]);
    const first = [files.get('index.html')!, files.get('style.css')!];
    const bytes = first.reduce((sum, { coded }) => sum + coded[0]![1].length, 0);
    expect(bytes, 'of page and style, compressed').to.be.below(8_192);
  });
});
