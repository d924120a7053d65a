/** All accounts as rows of a download. */
import { readAll } from '../api/read-all.ts';
import type { Balance, Replies } from '../api/types.ts';
import type { ExportColumn } from '../format/table-text.ts';

const columns: readonly ExportColumn<Balance>[] = [
  { name: 'did', of: ({ did }) => did },
  { name: 'address', of: ({ address }) => address },
  { name: 'balance', of: ({ balance }) => balance },
  { name: 'available', of: ({ availableBalance }) => availableBalance },
  { name: 'reserved', of: ({ reserved }) => reserved },
  { name: 'escrowed', of: ({ escrowed }) => escrowed },
  { name: 'eventsSigned', of: ({ nonce }) => nonce },
  { name: 'frozen', of: ({ frozen }) => frozen },
];

export const allAccounts = {
  name: 'accounts',
  columns,
  rows: () => readAll<Replies['listWallets'], Balance>('/api/v1/wallets', {}, ({ wallets }) => wallets),
};
