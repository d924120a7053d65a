/** The console takes what docs/generated/journal-vectors.json says, with its own code (docs/reference/journal-format.md#vectors). */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { consoleProof } from '../support/console-proof.js';

const vectors = JSON.parse(readFileSync('docs/generated/journal-vectors.json', 'utf8'));
const modules = ['canonical', 'check-entry', 'check-proof', 'check-state', 'journal-home', 'payload', 'signature'];

// biome-ignore lint/suspicious/noExplicitAny: the console has no compiled modules, so its types are not at hand
let proof: any;

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));

describe('The console and the vectors of the journal’s format', () => {
  before(async () => {
    proof = await consoleProof(...modules);
  });

  it('agree on numbers and canonical JSON', () => {
    for (const { bits, text } of vectors.numbers.vectors)
      expect(proof.canonical(Buffer.from(bits, 'hex').readDoubleBE(0)), bits).to.equal(text);
    for (const { source, json, canonical } of vectors.values)
      expect(proof.canonical(JSON.parse(json)), source).to.equal(canonical);
  });

  it('agree on signatures', async () => {
    const ada = vectors.keys.find(({ name }: { name: string }) => name === 'ada');
    for (const { purpose, text, message, sig } of vectors.signed) {
      expect(proof.signedMessage(purpose, text)).to.equal(message);
      expect((await proof.verified(bytesOf(ada.publicKey), message, sig)).holds).to.equal(true);
    }
    for (const { why, publicKey, message, signature } of vectors.refusedSignatures)
      expect((await proof.verified(bytesOf(publicKey), message, signature)).holds, why).to.equal(false);
  });

  it('agree on leaves', () => {
    for (const { value, salt, leaf, size } of vectors.leaves) {
      const leaves = { '/text': { leaf, size, salt } };
      expect(proof.hashedOf({ value: { text: value }, leaves }).open).to.deep.equal({ text: { leaf, size } });
      expect(proof.hashedOf({ value: { text: 'another' }, leaves })).to.equal(undefined);
    }
  });

  it('agree on the hashes of states', () => {
    for (const { open, confidential, partSalt, stateHash, id, kind, version, state } of vectors.states) {
      const context = { ...open, ...confidential };
      const shown = confidential ? { confidential: Object.keys(confidential), salt: partSalt } : {};
      const entry = { versions: [{ id, kind, version, stateHash }] };
      expect(proof.checkState({ kind, id, version, state, context, ...shown }, entry).holds, id).to.equal(true);
      expect(proof.checkState({ kind, id, version, state: 'x', context, ...shown }, entry).holds).to.equal(false);
      expect(proof.checkState({ kind, id, version: 9, state, context, ...shown }, entry).holds).to.equal(false);
    }
  });

  it('agree on every check of a journal', async () => {
    const home = proof.homeNamedBy(vectors.journal[0].shown);
    for (const { shown, shownToReaders } of vectors.journal)
      for (const entry of shownToReaders ? [shown, shownToReaders] : [shown]) {
        const { checks } = await proof.checkEntry(entry, home);
        expect(
          checks.filter(({ holds }: { holds: unknown }) => holds !== true),
          `entry ${entry.seq}`,
        ).to.deep.equal([]);
      }
  });

  it('agree that an event belongs to one journal', async () => {
    const [{ shown }] = vectors.journal;
    const { checks } = await proof.checkEntry(shown, { did: 'another home', isItsOwn: true });
    const failing = checks.filter(({ holds }: { holds: unknown }) => holds === false);
    expect(failing.map(({ name }: { name: string }) => name)).to.deep.equal(['Home']);
  });

  it('agree that times go back after a correction of the clock alone', async () => {
    const [first, , updated, , invoked, , corrected, redacted] = vectors.journal.map(({ shown }: { shown: unknown }) =>
      proven(shown),
    );
    const entriesHold = async (corrections: unknown[]) => {
      const parts = { first, entries: [updated, redacted], corrections, network: 'devnet', definitions: {} };
      const checks = await proof.checkProof({ ...parts, kind: 'leaf', id: '', total: 2, state: 'current' });
      return checks.find(({ name }: { name: string }) => name === 'Entries').holds;
    };
    expect(await entriesHold([corrected])).to.equal(true);
    expect(await entriesHold([])).to.equal(false);
    expect(await entriesHold([invoked])).to.equal(false);
  });

  it('agree that no value of an entry may differ', async () => {
    const home = proof.homeNamedBy(vectors.journal[0].shown);
    for (const { shown, shownToReaders = shown } of vectors.journal) {
      for (const place of placesIn(shownToReaders)) {
        if (place[0] === 'receipt') continue; // no hash of the entry covers it
        const { checks } = await proof.checkEntry(changedAt(shownToReaders, place), home);
        expect(
          checks.some(({ holds }: { holds: unknown }) => holds === false),
          place.join('.'),
        ).to.equal(true);
      }
    }
  });
});

const proven = (entry: unknown) => ({ entry, anchor: null });

type Place = readonly (string | number)[];

/** The places of all values that have no members. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, member]) => placesIn(member, [...at, name]));
}

function changedAt(value: unknown, [name, ...rest]: Place): unknown {
  if (name !== undefined) {
    const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
    return Object.assign(copy, { [name]: changedAt((value as { [name: string]: unknown })[name], rest) });
  }
  if (typeof value === 'number') return value + 1;
  if (typeof value !== 'string') return value === true ? false : 'other';
  const last = value.charCodeAt(value.length - 1) ^ 1;
  return value.slice(0, -1) + String.fromCharCode(last);
}
