/**
 * Identities that were created in this page, with their passphrases, which are in the page's memory only; and those whose keys
 * this browser keeps.
 */
import { signal } from '@preact/signals';
import { ask, path, read } from '../api/read.ts';
import type { JsonObject } from '../api/types.ts';
import { canKeep, keepKey, keptKeys } from './browser-keys.ts';
import type { KeyPairs } from './key-signer.ts';

/** Signs and sends. Throws Problem. */
export type Write = (url: string, body: object) => Promise<JsonObject>;

export interface Resident {
  readonly did: string;
  readonly balance: number;
  readonly keptBy: 'this node' | 'this browser';
  readonly write: Write;
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

/** Throws Problem. */
export async function makeIdentity(passphrase: string): Promise<void> {
  const { did } = await post<{ readonly did: string }>('/api/v1/identities', { passphrase });
  const write: Write = async (url, body) => {
    const { nextNonce } = await walletOf(did);
    return post(url, { did, passphrase, nonce: nextNonce, ...body });
  };
  residents.value = [...residents.value, { did, balance: 0, keptBy: 'this node', write }];
}

const keySigners = () => import('./key-signer.ts');

async function addKey(pairs: KeyPairs): Promise<void> {
  const signer = await (await keySigners()).keySigner(pairs);
  residents.value = [...residents.value, { ...signer, balance: 0, keptBy: 'this browser' }];
}

/** Makes a key that this browser keeps. */
export async function makeKey(): Promise<void> {
  const pairs = await (await keySigners()).newPairs();
  await keepKey(pairs);
  await addKey(pairs);
}

let loading: Promise<void> | undefined;

/** Adds those whose keys this browser has kept, once. */
export function loadKeys(): Promise<void> {
  loading ??= (async () => {
    if (!canKeep()) return;
    for (const pairs of await keptKeys()) await addKey(pairs);
    await refresh();
  })();
  return loading;
}

/** Throws Problem. */
export async function giveTokens(did: string): Promise<void> {
  await post('/api/v1/faucet', { did });
  await refresh();
}
