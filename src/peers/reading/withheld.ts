/**
 * A resource whose content its home showed to its parties' homes only: what the entries' cores say of it is known, its
 * context is not (docs/reference/other-homes.md#withheld).
 */
import { isWithheld as isMarked } from '../../machines/kernel/withheld.js';
import type { Snapshot } from '../../store/store.js';

export { withheldContext } from '../../machines/kernel/withheld.js';

export const isWithheld = ({ context }: Pick<Snapshot, 'context'>): boolean => isMarked(context);
