/** URLs of receivers are read as the URL standard says, or refused (docs/webhooks.md, Addresses). */
import { isIP } from 'node:net';
import { expect } from 'chai';
import { violationOfAddress, violationOfUrl } from '../../src/projections/webhooks/target.js';
import { vectorsIn } from '../support/vectors.js';

// The standard no longer refuses a host like `xn--pokxncvks`, and newer versions of Node.js take it.
const vectors = vectorsIn<readonly [text: string, href: string | null]>('urls.json').filter(
  ([text, href]) => href !== null || !/xn--/i.test(text),
);
const anywhere = { encrypted: false, networks: [] };

/** The host of a normalised URL, read without a parser of URLs. */
const hostIn = (href: string): string =>
  /^https?:\/\/(?:[^/@]*@)?(?:\[([^\]]*)\]|([^/:?#]*))/.exec(href)!.slice(1).join('');

describe('The vectors of the URL standard', () => {
  it('that are no URLs are refused as receivers', () => {
    for (const [text, href] of vectors)
      if (href === null) expect(violationOfUrl(text, anywhere), text).to.be.a('string');
  });

  it('whose host is no global address are refused, however it is spelled', () => {
    const local = vectors.filter(([, href]) => href && isIP(hostIn(href)) && violationOfAddress(hostIn(href), []));
    expect(local.length).to.be.above(10);
    for (const [text] of local) expect(violationOfUrl(text, anywhere), text).to.be.a('string');
  });

  it('that are taken mean the same to this program, and have neither user, password nor fragment', () => {
    const taken = vectors.filter(([text]) => violationOfUrl(text, anywhere) === undefined);
    expect(taken.length).to.be.above(60);
    for (const [text, href] of taken) {
      expect(new URL(text).href, text).to.equal(href);
      // A parser drops blanks and turns backslashes: others may read such a text in another way.
      expect(text).to.match(/^[!-[\]-~]+$/);
      expect(href, text)
        .to.match(/^https?:\/\/[^@/]+\//)
        .and.not.include('#');
    }
  });
});
