/** Checks that a resource's state equals the state in the entry that wrote it. */
import type { Entry, MachineState } from '../api/types.ts';
import { canonical } from './canonical.ts';
import type { Check } from './check-entry.ts';
import { sha256Hex } from './hash.ts';
import { hashedOf } from './payload.ts';

/** @param entry the entry whose event the state names */
export function checkState({ kind, id, version, state, context, ...shown }: MachineState, entry: Entry): Check {
  const made = entry.versions.find((each) => each.kind === kind && each.id === id);
  const hashed = hashedOf({ value: context, ...shown });
  const hash = hashed && sha256Hex(canonical({ context: hashed.open, sealed: hashed.sealed, state }));
  return {
    name: 'State hash',
    holds: made?.version === version && hash === made.stateHash,
    says: `SHA-256 of state and context, as recorded for version ${version} in entry ${entry.seq}`,
  };
}
