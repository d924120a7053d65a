/** Downloads the proof of a resource: all pages joined into one file. */
import { useState } from 'preact/hooks';
import { asProblem, path, read, withQuery } from '../api/read.ts';
import type { ResourceProof } from '../proof/check-proof.ts';
import { save } from './save.ts';

/** @param id as in an address */
async function readProof(kind: string, id: string): Promise<ResourceProof> {
  const url = path`/api/v1/machines/${kind}/${id}/proof`;
  let proof = await read<ResourceProof>(url);
  while (proof.hasMore && proof.next !== null) {
    const more = await read<ResourceProof>(withQuery(url, { after: proof.next }));
    const [entries, definitions] = [[...proof.entries, ...more.entries], { ...proof.definitions, ...more.definitions }];
    proof = { ...more, first: proof.first, entries, definitions };
  }
  return proof;
}

export function DownloadProof({ kind, id }: { kind: string; id: string }) {
  const [says, setSays] = useState('');
  const take = async () => {
    setSays('Reading …');
    try {
      const proof = await readProof(kind, id);
      save(
        `proof-${kind}-${id}`
          .replace(/[^A-Za-z0-9_-]+/g, '-')
          .slice(0, 120)
          .concat('.json'),
        'application/json',
        `${JSON.stringify(proof)}\n`,
      );
      setSays('');
    } catch (error) {
      setSays(asProblem(error).detail);
    }
  };
  return (
    <span class="buttons">
      <button type="button" onClick={() => void take()}>
        Download proof
      </button>
      <span role="status" class="faint">
        {says}
      </span>
    </span>
  );
}
