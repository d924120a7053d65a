/**
 * Verifies an entry in the browser, without trusting the node: the event's signature, that the key belongs to the signer's DID,
 * that the event was signed for this journal, and every hash that fixes the request and its result.
 */
import type { Entry } from '../api/types.ts';
import { canonical } from './canonical.ts';
import { bytesOf, sha256Hex } from './hash.ts';
import { checkHome, type HomeOfJournal } from './journal-home.ts';
import { maySign } from './may-sign.ts';
import { hashedOf } from './payload.ts';
import { signedMessage, type Verified, verified } from './signature.ts';

export interface Check {
  readonly name: string;
  /** Undefined if what the check needs is not available here. */
  readonly holds: boolean | undefined;
  readonly says: string;
}

export interface Checked {
  readonly checks: readonly Check[];
  /** What verified the signature. */
  readonly by: Verified['by'];
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
  const { holds, by } = await verified(key, signedMessage('svc:event:v3', text), sig);
  return {
    by,
    checks: [
      { name: 'Signature', holds, says: 'Ed25519 over the event, by the key that it names' },
      { name: 'Signer', holds: maySign(key, body.issuer), says: 'the key belongs to the DID of the signer' },
      checkHome(entry.event, journal),
      { name: 'Event hash', holds: sha256Hex(text) === hash, says: 'SHA-256 of the event' },
      checkPayload(entry),
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

function checkPayload({ event, payload, leaves, confidential, salt, sealed }: Entry): Check {
  const name = 'Payload';
  if (!payload) return { name, holds: undefined, says: 'the request is not visible to you' };
  const hashed = hashedOf({ value: payload.input, leaves, confidential, salt, sealed });
  if (!hashed) return { name, holds: false, says: 'a text is not the one that was signed' };
  const { open, sealed: hidden, erased } = hashed;
  const says = [
    sealed === undefined ? 'the request is the one that was signed' : 'what you may see of the request was signed',
    ...(erased > 0 ? [`erased texts that cannot be compared: ${erased}`] : []),
  ];
  const holds = sha256Hex(canonical({ public: { ...payload, input: open }, sealed: hidden })) === event.payloadHash;
  return { name, holds, says: says.join('; ') };
}

const coreOf = ({ event, home, time, law, versions, reads, accounts, moves, postings, idem }: Entry): object => ({
  v: 2,
  ...{ event, home, time, law, versions, reads, accounts, moves, postings, idem },
});

const chainHashOf = ({ seq, prevEntry, entryHash }: Entry): string =>
  sha256Hex(`svc:journal:v1:${seq}:${prevEntry}:${entryHash}`);
