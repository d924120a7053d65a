/** Where the client's tour lies, and what it finds wherever it is made. */
import { fileURLToPath } from 'node:url';

/** Plain JavaScript: it runs as it lies in the sources. */
const inSources = (name: string): string =>
  fileURLToPath(new URL(`../../../../test/client/support/${name}`, import.meta.url));

export const tourFile = inSources('tour.mjs');
export const webOnlyRunner = inSources('web-only.mjs');
/** Its entry file; the others lie beside it. */
export const clientFile = fileURLToPath(new URL('../../../packages/client/src/index.js', import.meta.url));

export const found = {
  seen: ['transfer.sent', 'transfer.sent', 'transfer.sent', 'escrow.created', 'escrow.released'],
  status: 'released',
  balance: 16,
  refusal: 'INSUFFICIENT_BALANCE',
  sent: [1, 2, 3],
  isLate: true,
} as const;
