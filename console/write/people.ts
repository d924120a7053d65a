/**
 * The people of Try it. This browser keeps their keys; where it cannot, the node does, and their passphrases are in the page's
 * memory only. Their names are in the address book.
 */
import { signal } from '@preact/signals';
import { ask, path, read } from '../api/read.ts';
import type { JsonObject } from '../api/types.ts';
import { didNamed, nameDid } from '../names/address-book.ts';
import { canKeep, dropKey, type KeptKey, keepKey, keptKeys } from './browser-keys.ts';

/** Signs and sends. Throws Problem. */
export type Write = (url: string, body: object) => Promise<JsonObject>;

export interface Resident {
  readonly did: string;
  readonly balance: number;
  readonly write: Write;
  /** Absent: the node keeps the key. */
  readonly kept?: KeptKey;
}

export const residents = signal<readonly Resident[]>([]);

/** Throws Problem. */
export async function post<T>(url: string, body: object): Promise<T> {
  const headers = { 'Content-Type': 'application/json' };
  const reply = await ask(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await reply.json()) as T;
}

interface Wallet {
  readonly balance: number;
  readonly nextNonce: number;
}

export const walletOf = (did: string): Promise<Wallet> => read<Wallet>(path`/api/v1/wallets/${did}`);

/** Reads all balances again, because a payment changes that of the payee too. */
export async function refresh(): Promise<void> {
  const balances = await Promise.all(residents.value.map(({ did }) => walletOf(did)));
  residents.value = residents.value.map((each, at) => ({ ...each, balance: balances[at]!.balance }));
}

/** Throws Problem. @param passphrase absent: this browser makes the key, and keeps it @returns the DID */
export async function addPerson(name: string, passphrase?: string): Promise<string> {
  const did = await (passphrase === undefined ? makeKey() : makeIdentity(passphrase));
  nameDid(did, name);
  return did;
}

async function makeIdentity(passphrase: string): Promise<string> {
  const { did } = await post<{ readonly did: string }>('/api/v1/identities', { passphrase });
  const write: Write = async (url, body) => {
    const { nextNonce } = await walletOf(did);
    return post(url, { did, passphrase, nonce: nextNonce, ...body });
  };
  residents.value = [...residents.value, { did, balance: 0, write }];
  return did;
}

const keySigners = () => import('./key-signer.ts');

async function addKey(kept: KeptKey): Promise<string> {
  const signer = await (await keySigners()).keySigner(kept.pairs);
  residents.value = [...residents.value, { ...signer, balance: 0, kept }];
  return signer.did;
}

async function makeKey(): Promise<string> {
  return addKey(await keepKey(await (await keySigners()).newPairs()));
}

/** What was signed stays, and so does the name in the address book. */
export async function removePerson({ did, kept }: Resident): Promise<void> {
  if (kept) await dropKey(kept);
  residents.value = residents.value.filter((each) => each.did !== did);
}

let loading: Promise<void> | undefined;

/** Adds those whose keys this browser has kept, once. */
export function loadKeys(): Promise<void> {
  loading ??= (async () => {
    if (!canKeep()) return;
    for (const kept of await keptKeys()) await addKey(kept);
    await refresh();
  })();
  return loading;
}

/** Throws Problem. */
export async function giveTokens(did: string): Promise<void> {
  await post('/api/v1/faucet', { did });
  await refresh();
}

/** The DID that a text means in a request: that of a person by number, or one of the address book by name. Throws an Error for the user. */
export function didMeant(text: string): string {
  if (text === '' || text.startsWith('did:') || text.startsWith('svc1')) return text;
  const did = residents.value[Number(text) - 1]?.did ?? didNamed(text);
  if (did === undefined)
    throw new Error(
      `“${text}” is no name of your address book, or of more than one: choose from the list, or give the DID`,
    );
  return did;
}
