import bs58 from 'bs58';
import { expect } from 'chai';
import { didOf } from '../../src/core/codecs/did.js';
import { didOfPeerId, peerIdOf } from '../../src/core/codecs/peer-id.js';
import { bytes, rfc8032, smallOrderKeys } from './fixtures.js';

/** The key of the libp2p specification (peer-ids), and those of RFC 8032; base58 computed by a separate Python script. */
const vectors = [
  ['1ed1e8fae2c4a144b8be8fd4b47bf3d3b34b871c3cacf6010f0e42d474fce27e', 'Btg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq'],
  [rfc8032[0].publicKey, 'QK1wnefoLrcVHbbnf5tLzbopUd3K3bFAoJpA7YJgL5pV'],
  [rfc8032[1].publicKey, 'DwTirQce1RRKnasT5fPVFgzXCy6SiRgSwrwPGLC7zE91'],
  [rfc8032[2].publicKey, 'SoKFn4y7TtC1chE8CRkXdPZZfkjfNbTSUK5rjjp4oPHn'],
] as const;
const spelled = (header: string, key: string): string => bs58.encode(bytes(header + key));

describe('Peer id', () => {
  for (const [key, text] of vectors) {
    it(`of key ${key.slice(0, 8)} is 12D3KooW${text}`, () => {
      const did = didOf(bytes(key));
      expect(peerIdOf(did)).to.equal(`12D3KooW${text}`);
      expect(didOfPeerId(`12D3KooW${text}`)).to.equal(did);
    });
  }

  it('is refused in another spelling, with another multihash, type or length', () => {
    const [[key, name]] = vectors;
    const good = `12D3KooW${name}`;
    expect(spelled('002408011220', key)).to.equal(good);
    const wrong = [
      ...['', `${good} `, ` ${good}`, `${good}1`, good.slice(0, -1), `z${good}`, good.toLowerCase()],
      ...[`${good.slice(0, -1)}0`, `${good.slice(0, -1)}é`, 'QmYyQSo1c1Ym7orWxLYvCrM2EmxFTANf8wXmmE7DWjhx5N'],
      ...['122408011220', '002508011220', '002408021220', '002408011221', '08011220', ''].map((h) => spelled(h, key)),
      spelled('002408011220', key.slice(2)),
      spelled('002408011220', `${key}00`),
      '1'.repeat(100_000),
    ];
    expect(wrong.filter((text) => didOfPeerId(text) !== undefined)).to.deep.equal([]);
  });

  it('is refused for keys that are not sound', () => {
    const unsound = smallOrderKeys.map((key) => spelled('002408011220', key));
    expect(unsound).to.not.have.length(0);
    expect(unsound.filter((text) => didOfPeerId(text) !== undefined)).to.deep.equal([]);
  });
});
