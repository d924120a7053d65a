/** Merkle trees of RFC 6962, 2.1, against the RFC's recursive definition and the published hashes of its test tree. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { inclusionPath, leafHash, merkleRoot, rootOfPath } from '../../../src/chain/anchors/merkle.js';

const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

/** The definition in the RFC's words. */
function treeHash(data: readonly Buffer[]): Buffer {
  if (data.length === 1) return sha256(hex('00'), data[0]!);
  let k = 1;
  while (k * 2 < data.length) k *= 2;
  return sha256(hex('01'), treeHash(data.slice(0, k)), treeHash(data.slice(k)));
}

/** Inputs and roots of the test tree that implementations of RFC 6962 share. */
const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map(
  hex,
);
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

describe('the Merkle tree of an anchor', () => {
  it('has the published roots', () => {
    const leaves = inputs.map(leafHash);
    for (const [index, root] of roots.entries()) {
      expect(merkleRoot(leaves.slice(0, index + 1)).toString('hex')).to.equal(root);
    }
  });

  it('of any size is what its definition says, and each leaf has a path to its root', () => {
    const data = Array.from({ length: 70 }, (_, n) => sha256(Buffer.from([n])));
    for (let size = 1; size <= data.length; size++) {
      const leaves = data.slice(0, size).map(leafHash);
      const root = merkleRoot(leaves);
      expect(root.equals(treeHash(data.slice(0, size))), `size ${size}`).to.equal(true);
      for (let index = 0; index < size; index++) {
        const path = inclusionPath(leaves, index);
        expect(path.length).to.be.at.most(Math.ceil(Math.log2(size)));
        expect(rootOfPath({ leaf: leaves[index]!, index, size, path })?.equals(root), `${index} of ${size}`).to.equal(
          true,
        );
      }
    }
  });

  it('no other leaf, place, size or path leads to the root', () => {
    const leaves = Array.from({ length: 13 }, (_, n) => leafHash(Buffer.from([n])));
    const root = merkleRoot(leaves);
    const leads = (leaf: Buffer, index: number, size: number, path: Buffer[]) =>
      rootOfPath({ leaf, index, size, path })?.equals(root) ?? false;
    fc.assert(
      fc.property(fc.nat(12), fc.nat(12), fc.nat(40), fc.nat(3), (index, other, size, flip) => {
        const path = inclusionPath(leaves, index);
        const leaf = leaves[index]!;
        const changed = path.with(flip % path.length, sha256(path[flip % path.length]!));
        expect(leads(leaf, index, 13, path)).to.equal(true);
        expect(leads(leaf, index, 13, changed)).to.equal(false);
        expect(leads(leaf, index, 13, path.slice(1))).to.equal(false);
        expect(leads(leaf, index, 13, [...path, leaf])).to.equal(false);
        if (other !== index) expect(leads(leaves[other]!, index, 13, path)).to.equal(false);
        if (other !== index) expect(leads(leaf, other, 13, path)).to.equal(false);
        if (size <= index) expect(leads(leaf, index, size, path)).to.equal(false);
      }),
    );
    expect(leads(leaves[0]!, 0.5, 13, inclusionPath(leaves, 0))).to.equal(false);
    expect(leads(leaves[0]!, -1, 13, inclusionPath(leaves, 0))).to.equal(false);
  });
});
