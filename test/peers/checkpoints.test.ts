/** Checkpoints and proofs of equivocation: their format and signatures. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { canonical } from '../../src/core/canonical.js';
import { encodeBase58 } from '../../src/core/codecs/base58.js';
import { signerOf } from '../../src/keys/signing.js';
import {
  type Checkpoint,
  checkpointForm,
  equivocationForm,
  isSignedCheckpoint,
  parseForm,
  proofOfEquivocation,
  signCheckpoint,
  violationOfEquivocation,
} from '../../src/peers/checkpoint.js';
import { noHash } from '../../src/store/entry.js';

const home = signerOf(new Uint8Array(32).fill(1));
const follower = signerOf(new Uint8Array(32).fill(2));
const hashOf = (digit: string) => digit.repeat(64);
const at = { network: 'devnet', time: Date.UTC(2026, 0, 1) };
const checkpoint = signCheckpoint(home, { seq: 7, chainHash: hashOf('a') }, at);
const other = signCheckpoint(home, { seq: 7, chainHash: hashOf('b') }, { ...at, time: at.time + 1 });

/** The order of Ed25519's base point: adding it to S gives a second signature that careless code accepts. */
const order = 2n ** 252n + 27742317777372353535851937790883648493n;

function malleated(sig: string): string {
  const bytes = Buffer.from(sig, 'base64url');
  let s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  for (let i = 32; i < 64; i++, s >>= 8n) bytes[i] = Number(s & 255n);
  return bytes.toString('base64url');
}

describe('A checkpoint', () => {
  it('is signed over its prefix and the canonical form of the other members', () => {
    const { sig, ...rest } = checkpoint;
    expect(sig).to.equal(home.sign(`svc:checkpoint:v1:${canonical(rest)}`));
    expect(isSignedCheckpoint(checkpoint)).to.equal(true);
    expect(parseForm(checkpointForm, structuredClone(checkpoint))).to.deep.equal(checkpoint);
  });

  it('holds in none of its members if it is changed', () => {
    const changed: readonly Partial<Checkpoint>[] = [
      { home: follower.did },
      { network: 'testnet' },
      { seq: 8 },
      { chainHash: hashOf('b') },
      { time: at.time - 1 },
      { sig: other.sig },
      { sig: malleated(checkpoint.sig) },
      { sig: randomBytes(64).toString('base64url') },
    ];
    for (const each of changed) {
      expect(isSignedCheckpoint({ ...checkpoint, ...each }), JSON.stringify(each)).to.equal(false);
    }
  });

  it('of a home whose key is of small order has no valid signature', () => {
    const smallOrder = `did:svc:z${encodeBase58(Buffer.concat([Buffer.from([0xed, 1]), Buffer.alloc(32)]))}`;
    expect(isSignedCheckpoint({ ...checkpoint, home: smallOrder })).to.equal(false);
  });

  it('has one form: each member is needed, and no other is taken', () => {
    for (const name of Object.keys(checkpoint)) {
      const { [name as keyof Checkpoint]: _, ...rest } = checkpoint;
      expect(parseForm(checkpointForm, rest), name).to.be.a('string');
    }
    expect(parseForm(checkpointForm, { ...checkpoint, more: 1 })).to.equal('more: no such member');
    const wrong: readonly [object, string][] = [
      [{ seq: -1 }, 'seq'],
      [{ seq: 1.5 }, 'seq'],
      [{ seq: 2 ** 53 }, 'seq'],
      [{ seq: '7' }, 'seq'],
      [{ time: Number.NaN }, 'time'],
      [{ home: `did:svc:z${'1'.repeat(200)}` }, 'home'],
      [{ home: 'svc1' }, 'home'],
      [{ chainHash: hashOf('A') }, 'chainHash'],
      [{ chainHash: 'a'.repeat(10_000) }, 'chainHash'],
      [{ network: '' }, 'network'],
      [{ sig: `${checkpoint.sig}\n` }, 'sig'],
      [{ sig: ['x'] }, 'sig'],
    ];
    for (const [change, name] of wrong) {
      expect(parseForm(checkpointForm, { ...checkpoint, ...change }), JSON.stringify(change)).to.match(
        new RegExp(`^${name}: not `),
      );
    }
    for (const value of [null, [], 'text', 1, undefined]) expect(parseForm(checkpointForm, value)).to.be.a('string');
  });

  it('of an empty journal has no chain hash', () => {
    const empty = signCheckpoint(home, { seq: 0, chainHash: noHash }, at);
    expect(parseForm(checkpointForm, empty)).to.deep.equal(empty);
    expect(parseForm(checkpointForm, { ...empty, chainHash: hashOf('a') })).to.include('an empty journal');
  });
});

describe('A proof of equivocation', () => {
  it('is the same in any order of its checkpoints, and holds', () => {
    const proof = proofOfEquivocation(checkpoint, other);
    expect(proof).to.deep.equal(proofOfEquivocation(other, checkpoint));
    expect(parseForm(equivocationForm, JSON.parse(JSON.stringify(proof)))).to.deep.equal(proof);
    expect(violationOfEquivocation(proof)).to.equal(undefined);
  });

  it('needs one home, one network, one number, two chain hashes and two signatures', () => {
    const strange = signCheckpoint(follower, { seq: 7, chainHash: hashOf('c') }, at);
    const elsewhere = signCheckpoint(home, { seq: 7, chainHash: hashOf('c') }, { ...at, network: 'testnet' });
    const later = signCheckpoint(home, { seq: 8, chainHash: hashOf('c') }, at);
    const again = signCheckpoint(home, checkpoint, { ...at, time: at.time + 5 });
    const forged = { ...other, sig: randomBytes(64).toString('base64url') };
    const cases: readonly [Checkpoint, Checkpoint, string][] = [
      [checkpoint, strange, 'two homes'],
      [checkpoint, elsewhere, 'two networks'],
      [checkpoint, later, 'two entries'],
      [checkpoint, again, 'agree'],
      [other, checkpoint, 'lower chain hash'],
      [checkpoint, forged, 'second checkpoint does not verify'],
      [{ ...checkpoint, time: 0 }, other, 'first checkpoint does not verify'],
    ];
    for (const [first, second, says] of cases) expect(violationOfEquivocation({ first, second })).to.include(says);
  });
});
