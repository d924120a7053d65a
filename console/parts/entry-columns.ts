/** Columns of an entry in a download, and the resource that an entry is about. */
import type { Entry } from '../api/types.ts';
import { type ExportColumn, isoTime } from '../format/table-text.ts';

export const movedIn = ({ postings }: Entry): number =>
  postings.reduce((sum, [, delta]) => sum + Math.max(0, delta), 0);

/** The resource that the request names, otherwise the first one that the entry changed. */
export function aboutOf({ payload, versions }: Entry): { readonly kind: string; readonly id: string } | undefined {
  return versions.find(({ kind, id }) => kind === payload?.kind && id === payload.id) ?? versions[0];
}

export const entryColumns: readonly ExportColumn<Entry>[] = [
  { name: 'entry', of: ({ seq }) => seq },
  { name: 'time', of: ({ time }) => isoTime(time) },
  { name: 'event', of: ({ event }) => event.type },
  { name: 'signer', of: ({ event }) => event.issuer },
  { name: 'nonce', of: ({ event }) => event.nonce },
  { name: 'kind', of: (entry) => aboutOf(entry)?.kind },
  { name: 'resource', of: (entry) => aboutOf(entry)?.id },
  { name: 'moved', of: movedIn },
  { name: 'eventHash', of: ({ event }) => event.hash },
  { name: 'chainHash', of: ({ chainHash }) => chainHash },
];
