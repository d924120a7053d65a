/** Try it, on devnet only: create identities, give them Tokens from the faucet, and create the first resource. */
import '../../write/write.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Operation, operationFor, operations } from '../../api/operations.ts';
import type { Problem } from '../../api/problem.ts';
import { asProblem } from '../../api/read.ts';
import type { NodeStatus } from '../../api/types.ts';
import { useMachines } from '../../api/use-machines.ts';
import { useRead } from '../../api/use-read.ts';
import { tokens } from '../../format/format.ts';
import type { ExportColumn } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Failure, Loading } from '../../parts/reading.tsx';
import { Did } from '../../parts/text.tsx';
import { go } from '../../shell/route.ts';
import { canKeep } from '../../write/browser-keys.ts';
import { OperationForm } from '../../write/operation-form.tsx';
import { pageOfReply } from '../../write/page-of-reply.ts';
import { giveTokens, loadKeys, makeIdentity, makeKey, type Resident, residents } from '../../write/people.ts';

export function Try() {
  const status = useRead<NodeStatus>('/api/v1/node');
  if (!status.data) return <Loading />;
  if (status.data.network !== 'devnet')
    return <p>The console writes on devnet only: this node is on {status.data.network}.</p>;
  return (
    <>
      <People />
      <Create />
    </>
  );
}

function People() {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const attempt = (work: () => Promise<void>) =>
    void work().then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(asProblem(error)),
    );
  useEffect(() => attempt(loadKeys), []);
  const make = (event: SubmitEvent) => {
    event.preventDefault();
    const passphrase = field.current?.value ?? '';
    attempt(async () => {
      await makeIdentity(passphrase);
      if (field.current) field.current.value = '';
    });
  };
  return (
    <Panel title="People">
      <p class="faint">
        Identities in this node’s keystore. The page keeps their passphrases in memory only: after a reload it no longer
        signs for them. An escrow needs two people. Fields for a DID also take a person’s number.
      </p>
      <form class="find" onSubmit={make}>
        <label>
          Passphrase
          <input ref={field} type="password" autocomplete="new-password" required />
        </label>
        <button type="submit" class="main">
          Create identity
        </button>
      </form>
      {canKeep() && (
        <>
          <p class="faint">
            Or a key that this browser makes and keeps: the node never sees it, no script can read it, and it cannot be
            backed up. It trusts this page: the node that serves it can have anything signed.
          </p>
          <p>
            <button type="button" onClick={() => attempt(makeKey)}>
              Make a key in this browser
            </button>
          </p>
        </>
      )}
      {problem && <Failure problem={problem} />}
      <datalist id="residents">
        {residents.value.map(({ did }, at) => (
          <option key={did} value={did} label={`Person ${at + 1}`} />
        ))}
      </datalist>
      {residents.value.length > 0 && (
        <Table
          caption="People made here"
          columns={['#Person', 'DID', 'Key', '#Balance', 'Faucet']}
          exported={{ name: 'people', columns: exported, rows: residents.value }}
        >
          {residents.value.map(({ did, balance, keptBy }, at) => (
            <tr key={did}>
              <td class="number">{at + 1}</td>
              <td>
                <Did did={did} />
              </td>
              <td>{keptBy}</td>
              <td class="number">{tokens(balance)}</td>
              <td>
                <button
                  type="button"
                  onClick={() => attempt(() => giveTokens(did))}
                  aria-label={`Get Tokens for person ${at + 1}`}
                >
                  Get Tokens
                </button>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Panel>
  );
}

const exported: readonly ExportColumn<Resident>[] = [
  { name: 'did', of: ({ did }) => did },
  { name: 'key', of: ({ keptBy }) => keptBy },
  { name: 'balance', of: ({ balance }) => balance },
];

function Create() {
  const machines = useMachines();
  const [all, setAll] = useState<ReadonlyMap<string, Operation>>();
  const [problem, setProblem] = useState<Problem>();
  const [kind, setKind] = useState('escrow');
  useEffect(() => {
    operations().then(setAll, (error: unknown) => setProblem(asProblem(error)));
  }, []);
  if (problem) return <Failure problem={problem} />;
  if (!all || !machines.data) return <Loading />;
  const kinds = machines.data.machines.filter((each) => each.isMachine && operationFor(all, 'create', each.kind));
  const operation = operationFor(all, 'create', kind);
  return (
    <Panel title="Create a resource">
      {residents.value.length === 0 ? (
        <p>Create an identity first: every write needs a signer.</p>
      ) : (
        <>
          <label class="kind-field">
            Kind
            <select value={kind} onChange={(event) => setKind(event.currentTarget.value)}>
              {kinds.map((each) => (
                <option key={each.kind} value={each.kind}>
                  {each.title}
                </option>
              ))}
            </select>
          </label>
          {operation && (
            <OperationForm
              key={kind}
              operation={operation}
              label="Create"
              onDone={(reply) => go(pageOfReply(reply, kind))}
            />
          )}
        </>
      )}
    </Panel>
  );
}
