/** Every link of the guide and of the API page, followed on a node as people do. */
import { expect } from 'chai';
import { nodeForSuite } from './support/node.js';

/** Addresses in a page, or in the Markdown of an OpenAPI document. */
const addressesIn = (text: string): string[] =>
  [...text.matchAll(/(?:href|src)=\\?"([^"\\]*)\\?"|\]\(((?:\/|https?:)[^)\s]*)\)/g)].map(
    ([, attribute, markdown]) => attribute ?? markdown!,
  );

describe('Pages of a node', () => {
  const node = nodeForSuite();

  it('link to pages that are there', async () => {
    const { origin } = new URL(node().url);
    const seen = new Map<string, number>();
    const waiting = [`${origin}/guide`, `${origin}/docs`, `${origin}/openapi.json`, `${origin}/errors`];
    const broken: string[] = [];
    for (let from = waiting.pop(); from !== undefined; from = waiting.pop()) {
      const reply = await fetch(from, { headers: { Accept: 'text/html, */*' } });
      seen.set(from, reply.status);
      if (reply.status !== 200) broken.push(`${from}: ${reply.status}`);
      const text = await reply.text();
      if (!/html|json/.test(reply.headers.get('content-type') ?? '')) continue;
      for (const address of addressesIn(text)) {
        const url = new URL(address.replaceAll('&amp;', '&'), reply.url);
        url.hash = '';
        if (url.origin !== origin || seen.has(url.href) || waiting.includes(url.href)) continue;
        waiting.push(url.href);
      }
    }
    expect(broken).to.deep.equal([]);
    expect(seen.size).to.be.above(130);
    for (const page of ['/guide/glossary', '/guide/generated.events', '/errors/ESCROW_RULE_NOT_MET']) {
      expect(seen.get(`${origin}${page}`), page).to.equal(200);
    }
  });
});
