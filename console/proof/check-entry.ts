/**
 * Verifies an entry in the browser, without trusting the node: the event's signature, that the key belongs to the signer's DID,
 * that the event was signed for this journal, and every hash that fixes the request and its result.
 */

import * as noble from '@noble/ed25519';
import { sha512 } from '@noble/hashes/sha2.js';
import bs58 from 'bs58';
import type { Entry } from '../api/types.ts';
import { canonical } from './canonical.ts';
import { bytesOf, sha256Hex } from './hash.ts';
import { checkHome, type HomeOfJournal } from './journal-home.ts';
import { maySign } from './may-sign.ts';

export interface Check {
  readonly name: string;
  /** Undefined if what the check needs is not available here. */
  readonly holds: boolean | undefined;
  readonly says: string;
}

export interface Checked {
  readonly checks: readonly Check[];
  /** What verified the signature. */
  readonly by: 'WebCrypto' | 'noble';
}

noble.hashes.sha512 = sha512;

const utf8 = new TextEncoder();

export interface Signed {
  readonly key: Uint8Array<ArrayBuffer>;
  readonly message: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Verifies with WebCrypto if the browser supports Ed25519 on this page (https or localhost), otherwise in JavaScript. */
export async function verified({ key, message, signature }: Signed): Promise<{ holds: boolean; by: Checked['by'] }> {
  try {
    const own = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
    return { holds: await crypto.subtle.verify('Ed25519', own, signature, message), by: 'WebCrypto' };
  } catch {
    // WebCrypto is missing, or has no Ed25519.
    return { holds: noble.verify(signature, message, key, { zip215: false }), by: 'noble' };
  }
}

/** Never throws: an entry that cannot be read fails its check. @param journal undefined if the journal's home is not known */
export async function checkEntry(entry: Entry, journal: HomeOfJournal | undefined): Promise<Checked> {
  try {
    return await checked(entry, journal);
  } catch (error) {
    return { checks: [{ name: 'Entry', holds: false, says: `It cannot be read: ${String(error)}` }], by: 'noble' };
  }
}

async function checked(entry: Entry, journal: HomeOfJournal | undefined): Promise<Checked> {
  const { hash, sig, ...body } = entry.event;
  const text = canonical(body);
  const key = bytesOf(body.pub);
  const signature = Uint8Array.from(bs58.decode(sig));
  const { holds, by } = await verified({ key, message: utf8.encode(`svc:event:v1:${text}`), signature });
  const { payload, salt } = entry;
  const shown = payload !== undefined && salt !== undefined;
  return {
    by,
    checks: [
      { name: 'Signature', holds, says: 'Ed25519 over the event, by the key that it names' },
      { name: 'Signer', holds: maySign(key, body.issuer), says: 'the key belongs to the DID of the signer' },
      checkHome(entry.event, journal),
      { name: 'Event hash', holds: sha256Hex(text) === hash, says: 'SHA-256 of the event' },
      {
        name: 'Payload',
        holds: shown ? sha256Hex(canonical({ payload, salt })) === body.payloadHash : undefined,
        says: shown ? 'the request is the one that was signed' : 'the request is not visible to you',
      },
      {
        name: 'Entry hash',
        holds: sha256Hex(canonical(coreOf(entry))) === entry.entryHash,
        says: 'SHA-256 of the event and everything that follows from it',
      },
      {
        name: 'Chain',
        holds: chainHashOf(entry) === entry.chainHash,
        says: `its place in the journal: entry ${entry.seq}`,
      },
      {
        name: 'Postings',
        holds: entry.postings.reduce((sum, [, delta]) => sum + delta, 0) === 0,
        says: 'double entry: debits equal credits',
      },
    ],
  };
}

const coreOf = ({ event, home, time, law, versions, reads, accounts, moves, postings, idem }: Entry): object => ({
  v: 1,
  ...{ event, home, time, law, versions, reads, accounts, moves, postings, idem },
});

const chainHashOf = ({ seq, prevEntry, entryHash }: Entry): string =>
  sha256Hex(`svc:journal:v1:${seq}:${prevEntry}:${entryHash}`);
