/** `svc-node verify-equivocation`, without a node. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { proofOfEquivocation, signCheckpoint } from '../../src/peers/checkpoint.js';
import { scratch, tidy } from '../support/scratch.js';
import { signer } from '../world/people.js';
import { json, svcNode } from './support/command.js';

describe('svc-node verify-equivocation', () => {
  after(tidy);

  const home = signer('home');
  const at = { network: 'devnet', time: 1_700_000_000_000 };
  const one = signCheckpoint(home, { seq: 7, chainHash: 'a'.repeat(64) }, at);
  const other = signCheckpoint(home, { seq: 7, chainHash: 'b'.repeat(64) }, at);
  const proof = proofOfEquivocation(one, other);
  const file = (text: string) => {
    const path = join(scratch(), 'proof.json');
    writeFileSync(path, text);
    return path;
  };

  it('says whose key has signed which two journals', async () => {
    const end = await svcNode(['verify-equivocation', file(JSON.stringify(proof))]);
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.include(home.did).and.include(one.chainHash).and.include(other.chainHash).and.include('OK');
  });

  it('takes what holds one, from standard input', async () => {
    const end = await svcNode(['verify-equivocation', '-', '--json'], { input: JSON.stringify({ proof }) });
    expect(json(end)).to.deep.equal({ ok: true, home: home.did, network: 'devnet', seq: 7 });
  });

  it('ends with 1 where the proof does not hold, or is none', async () => {
    const forged = { ...proof, second: { ...proof.second, time: 1 } };
    const cases: readonly [string, string][] = [
      [JSON.stringify(forged), 'the second checkpoint does not verify'],
      [JSON.stringify({ first: one, second: one }), 'agree'],
      [JSON.stringify({ ...proof, more: 1 }), 'more: no such member'],
      ['[]', 'is not a proof of equivocation'],
      ['null', 'is not a proof of equivocation'],
      ['hello', 'is not JSON'],
    ];
    for (const [text, says] of cases) {
      const end = await svcNode(['verify-equivocation', file(text)]);
      expect(end.code, text).to.equal(1);
      expect(end.stderr).to.include(says);
    }
  });
});
