/** Verifies a proof from a file, within this page. Also used by the copy of the page that needs no node. */
import { useState } from 'preact/hooks';
import { abridged, abridgedDid, tokens } from '../format/format.ts';
import type { Check } from './check-entry.ts';
import { checkProof, parseProof, type ResourceProof } from './check-proof.ts';
import { allHold } from './links.ts';

type Verification =
  | { readonly what: 'checking' }
  | { readonly what: 'refused'; readonly says: string }
  | { readonly what: 'checked'; readonly proof: ResourceProof; readonly checks: readonly Check[] };

/** A larger file is not a proof of this node: a page of a proof has at most a megabyte, a resource at most twenty pages. */
const largestBytes = 64 * 1024 * 1024;

export function VerifyProof() {
  const [found, setFound] = useState<Verification>();
  const take = async (file: File | undefined) => {
    if (!file) return;
    setFound({ what: 'checking' });
    try {
      if (file.size > largestBytes) throw new Error('This file is too large to be a proof.');
      const proof = parseProof(await file.text());
      setFound({ what: 'checked', proof, checks: await checkProof(proof) });
    } catch (error) {
      setFound({ what: 'refused', says: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <div class="verify">
      <label>
        The file of a proof
        <input
          type="file"
          accept=".json,application/json"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
      </label>
      <div role="status">
        {found?.what === 'checking' && <p>Checking …</p>}
        {found?.what === 'refused' && <p class="failure">{found.says}</p>}
        {found?.what === 'checked' && <Verdict proof={found.proof} checks={found.checks} />}
      </div>
    </div>
  );
}

function Verdict({
  proof: { kind, id, state, network, entries },
  checks,
}: {
  proof: ResourceProof;
  checks: readonly Check[];
}) {
  const sound = allHold(checks);
  const newest = entries.at(-1)?.entry;
  return (
    <>
      <h2 class={sound ? 'good' : 'bad'}>{sound ? '✓ The proof holds' : '✗ The proof does not hold'}</h2>
      <p>
        {String(kind)} <code title={String(id)}>{abridged(String(id), 24, 8)}</code>: <strong>{String(state)}</strong>{' '}
        <span class="faint">
          on {String(network)}
          {newest &&
            typeof newest.time === 'number' &&
            `, as of entry ${newest.seq}, ${new Date(newest.time).toISOString()}`}
        </span>
      </p>
      {sound && <Payments entries={entries} />}
      <ul class="check-list">
        {checks.map(({ name, holds, says }) => (
          <li key={name}>
            <span class={`check ${holds === undefined ? 'faint' : holds ? 'good' : 'bad'}`}>
              <span aria-hidden="true">{holds === undefined ? '–' : holds ? '✓' : '✗'}</span>
              <span class="unseen">{holds === undefined ? 'not checked' : holds ? 'passed' : 'failed'}</span>
            </span>
            <span>
              <strong>{name}</strong> <span class="faint">{says}</span>
            </span>
          </li>
        ))}
      </ul>
      <p class="faint">
        The proof says nothing about later entries. <code>svc-node verify-proof --rpc</code> checks whether the roots
        are on chain.
      </p>
    </>
  );
}

interface ProvenMove {
  readonly op: string;
  readonly from?: string;
  readonly to?: string;
  readonly amount?: number;
}

const payments = ['release', 'transfer', 'withdraw'];
const returns = ['refund', 'expire'];

/** Who paid whom how much, and what went back to its payer, summed over all entries. */
function Payments({ entries }: Pick<ResourceProof, 'entries'>) {
  const sums = new Map<string, { from: string; to: string | undefined; amount: number }>();
  for (const { op, from = '', to, amount = 0 } of entries.flatMap(
    ({ entry }) => entry.moves as readonly ProvenMove[],
  )) {
    if (!payments.includes(op) && !returns.includes(op)) continue;
    const receiver = payments.includes(op) ? to : undefined;
    const key = `${from} ${receiver}`;
    sums.set(key, { from, to: receiver, amount: amount + (sums.get(key)?.amount ?? 0) });
  }
  if (sums.size === 0) return <p>It moved no Tokens to others.</p>;
  return (
    <ul>
      {[...sums].map(([key, { from, to, amount }]) => (
        <li key={key}>
          {to === undefined ? (
            <>
              <strong>{tokens(amount)}</strong> went back to <Party did={from} />
            </>
          ) : (
            <>
              <Party did={from} /> paid <strong>{tokens(amount)}</strong> to <Party did={to} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

const Party = ({ did }: { did: string }) => <code title={did}>{abridgedDid(did)}</code>;
