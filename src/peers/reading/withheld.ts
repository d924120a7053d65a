/**
 * A resource whose content its home showed to its parties' homes only: what the entries' cores say of it is known, its
 * context is not (docs/reference/other-homes.md#withheld).
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Snapshot } from '../../store/store.js';

const mark = 'svc:withheld';

/** What a replica stores as the context of such a resource. No kind has a member of this name. */
export const withheldContext: JsonObject = Object.freeze({ [mark]: true });

export const isWithheld = ({ context }: Pick<Snapshot, 'context'>): boolean => context[mark] === true;
