/** Identities that were created in this page, with their passphrases. They are in the page's memory only. */
import { signal } from '@preact/signals';
import { ask, path, read } from '../api/read.ts';

export interface Resident {
  readonly did: string;
  readonly passphrase: string;
  readonly balance: number;
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
  residents.value = [...residents.value, { did, passphrase, balance: 0 }];
}

/** Throws Problem. */
export async function giveTokens(did: string): Promise<void> {
  await post('/api/v1/faucet', { did });
  await refresh();
}
