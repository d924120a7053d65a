/** This program makes and takes what docs/generated/journal-vectors.json says (docs/reference/journal-format.md#vectors). */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ChainWalk } from '../../scripts/demo/proof.js';
import { canonical, type Json } from '../../src/core/canonical.js';
import { didOf } from '../../src/core/codecs/did.js';
import { signedMessage } from '../../src/core/codecs/event-message.js';
import { verify } from '../../src/core/codecs/signature-check.js';
import { newLeaf } from '../../src/core/leaf.js';
import { saltFor, sealedHash } from '../../src/core/sealed-hash.js';
import { signerOf } from '../../src/keys/signing.js';
import type { AnyDefinition } from '../../src/machines/kernel/definition.js';
import { stateHashOf, versionPart } from '../../src/machines/kernel/state-hash.js';
import { chainHashOf, entryOf, noHash, receiptHashOf } from '../../src/store/entry.js';
import { HomeRule } from '../../src/store/home-rule.js';
import { violationInText } from '../../src/verify/entry-text.js';
import { hashOfPublished } from '../../src/verify/published-payload.js';
import { jcs } from '../node/support/independent.js';

const vectors = JSON.parse(readFileSync('docs/generated/journal-vectors.json', 'utf8'));

describe('Vectors of the journal’s format', () => {
  it('have the numbers of RFC 8785', () => {
    for (const { bits, text } of vectors.numbers.vectors) {
      const value = Buffer.from(bits, 'hex').readDoubleBE(0);
      expect([canonical(value), jcs(value)], bits).to.deep.equal([text, text]);
    }
  });

  it('have canonical JSON', () => {
    for (const { source, json, canonical: text } of vectors.values) {
      const value = JSON.parse(json);
      expect([canonical(value), jcs(value)], source).to.deep.equal([text, text]);
    }
  });

  it('have keys of RFC 8032, and their DIDs', () => {
    for (const { name, seed, publicKey, did } of vectors.keys) {
      expect(didOf(Buffer.from(publicKey, 'hex')), name).to.equal(did);
      expect(signerOf(Buffer.from(seed, 'hex')).did, name).to.equal(did);
    }
  });

  const ada = vectors.keys.find(({ name }: { name: string }) => name === 'ada');

  it('have signatures of short and long texts', () => {
    const signer = signerOf(Buffer.from(ada.seed, 'hex'));
    for (const { purpose, text, bytes, message, sig } of vectors.signed) {
      expect(signedMessage(purpose, text), `${bytes} bytes`).to.equal(message);
      expect(signer.sign(message)).to.equal(sig);
      expect(verify(Buffer.from(ada.publicKey, 'hex'), message, sig)).to.equal(true);
    }
  });

  it('have signatures that are refused', () => {
    for (const { why, publicKey, message, signature } of vectors.refusedSignatures)
      expect(verify(Buffer.from(publicKey, 'hex'), message, signature), why).to.equal(false);
  });

  it('have leaves and salted hashes', () => {
    for (const { value, salt, leaf, size, text } of vectors.leaves) {
      expect(newLeaf(value, Buffer.from(salt, 'hex')).leaf).to.deep.equal({ leaf, size });
      expect(canonical(value)).to.equal(text);
    }
    for (const { salt, part, partSalt, members, sealed } of vectors.sealed) {
      expect(saltFor(salt, part)).to.equal(partSalt);
      expect(sealedHash(partSalt, members)).to.equal(sealed);
    }
  });

  it('have hashes of states', () => {
    for (const { open, confidential, salt, partSalt, stateHash, ...resource } of vectors.states) {
      expect(saltFor(salt, versionPart(resource))).to.equal(partSalt);
      const definition = { form: 'machine', payloadReaders: () => [], openMembers: Object.keys(open) };
      const context = { ...open, ...confidential };
      expect(stateHashOf(definition as unknown as AnyDefinition, { ...resource, context }, () => salt)).to.equal(
        stateHash,
      );
    }
  });

  it('have a journal, as it is stored and as it is shown', () => {
    const rule = new HomeRule();
    let before = noHash;
    for (const { stored, shown, shownToReaders } of vectors.journal) {
      const entry = entryOf(stored.coreText, stored.payloadText, shown.entryHash);
      expect(violationInText(entry), `entry ${shown.seq}`).to.equal(undefined);
      expect(rule.violationOf(entry.core, shown.seq === 1)).to.equal(undefined);
      rule.saw(entry.core);
      expect(shown.prevEntry).to.equal(before);
      before = chainHashOf(shown.seq, before, shown.entryHash);
      expect(shown.chainHash).to.equal(before);
      for (const each of shownToReaders ? [shown, shownToReaders] : [shown]) {
        expect(hashOfPublished(each)).to.deep.equal({ hash: entry.core.event.payloadHash });
        const { seq, entryHash, prevEntry, chainHash, receipt, payload, leaves, confidential, salt, sealed, ...core } =
          each;
        expect(canonical({ v: entry.core.v, ...core } as Json)).to.equal(stored.coreText);
      }
    }
  });

  it('have a journal that the demo’s own verifier takes', () => {
    for (const isReader of [false, true]) {
      const walk = new ChainWalk();
      for (const { shown, shownToReaders } of vectors.journal)
        expect(walk.violationOf((isReader && shownToReaders) || shown)).to.equal(undefined);
    }
  });

  it('have receipts', () => {
    for (const { number, prevReceipt, receipt, receiptHash } of vectors.receipts)
      expect(receiptHashOf(number, prevReceipt, receipt)).to.equal(receiptHash);
  });
});
