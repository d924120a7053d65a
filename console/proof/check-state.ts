/** Checks that a resource's state equals the state in the entry that wrote it. */
import type { Entry, MachineState } from '../api/types.ts';
import { canonical } from './canonical.ts';
import type { Check } from './check-entry.ts';
import { sha256Hex } from './hash.ts';

/** @param entry the entry whose event the state names */
export function checkState({ kind, id, version, state, context }: MachineState, entry: Entry): Check {
  const made = entry.versions.find((each) => each.kind === kind && each.id === id);
  return {
    name: 'State hash',
    holds: made?.version === version && sha256Hex(canonical({ context, state })) === made.stateHash,
    says: `SHA-256 of state and context, as recorded for version ${version} in entry ${entry.seq}`,
  };
}
