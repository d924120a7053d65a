/** Numbers as ECMAScript writes them, which RFC 8785 prescribes, in each program here that writes canonical JSON. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { canonicalText } from '../../packages/client/src/signing/bytes.js';
import { canonical } from '../../src/core/canonical.js';
import { consoleProof } from '../support/console-proof.js';
import { isLong } from '../support/long.js';
import { vectorFile } from '../support/vectors.js';

const { fixed, hashes } = vectorFile('numbers.json') as { fixed: string; hashes: { [count: string]: string } };
const python =
  'import sys; sys.path.insert(0, "examples/verifier"); from struct import unpack; from verifier import jcs\n';

function* allBits(): Generator<bigint> {
  for (const hex of fixed.split(' ')) yield BigInt(`0x${hex}`);
  for (let up = 0n; up < 2_000n; up++) yield 0x0010000000000000n + up;
  for (let block: Buffer = Buffer.alloc(32); ; ) {
    block = createHash('sha256').update(block).digest();
    for (let at = 0; at < 32; at += 8) {
      const value = block.readDoubleLE(at);
      if (value !== 0 && Number.isFinite(value)) yield block.readBigUInt64LE(at);
    }
  }
}

function firstBits(count: number): bigint[] {
  const all = allBits();
  return Array.from({ length: count }, () => all.next().value as bigint);
}

const doubleOf = (bits: bigint): number => new Float64Array(new BigUint64Array([bits]).buffer)[0]!;

function hashOf(bits: readonly bigint[], texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const [index, each] of bits.entries()) hash.update(`${each.toString(16)},${texts[index]}\n`);
  return hash.digest('hex');
}

describe('The sequence of numbers that goes with RFC 8785', () => {
  const count = isLong ? 1_000_000 : 10_000;
  const bits = firstBits(count);

  const written = (write: (value: number) => string): string =>
    hashOf(
      bits,
      bits.map((each) => write(doubleOf(each))),
    );

  it('is written by the node', () => {
    expect(written(canonical)).to.equal(hashes[count]);
  });

  it('is written by the client', () => {
    expect(written(canonicalText)).to.equal(hashes[count]);
  });

  it('is written by the console', async () => {
    expect(written((await consoleProof('canonical')).canonical)).to.equal(hashes[count]);
  });

  (spawnSync('python3', ['-c', 'import cryptography']).status === 0 ? it : it.skip)(
    'is written by the verifier',
    () => {
      const program = `${python}for line in sys.stdin: print(jcs(unpack(">d", bytes.fromhex(line.strip()))[0]))`;
      const input = bits.map((each) => each.toString(16).padStart(16, '0')).join('\n');
      const { stdout, stderr } = spawnSync('python3', ['-c', program], { input, encoding: 'utf8', maxBuffer: 2 ** 28 });
      expect(hashOf(bits, stdout.trimEnd().split('\n')), stderr).to.equal(hashes[count]);
    },
  );
});
