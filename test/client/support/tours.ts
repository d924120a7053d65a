/** Where the client's tour is, and its expected result in every runtime. */
import { fileURLToPath } from 'node:url';

/** Plain JavaScript, which runs from the source folder. */
const inSources = (name: string): string =>
  fileURLToPath(new URL(`../../../../test/client/support/${name}`, import.meta.url));

export const tourFile = inSources('tour.mjs');
export const webOnlyRunner = inSources('web-only.mjs');
/** The client's entry file. Its other files are in the same folder. */
export const clientFile = fileURLToPath(new URL('../../../packages/client/src/index.js', import.meta.url));

export const found = {
  seen: ['transfer.sent', 'transfer.sent', 'transfer.sent', 'escrow.created', 'escrow.released'],
  status: 'released',
  balance: 16,
  refusal: 'INSUFFICIENT_BALANCE',
  sent: [1, 2, 3],
  isLate: true,
} as const;
