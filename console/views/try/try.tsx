/** Try it, on devnet only: add people, give them Tokens from the faucet, and create the first resource. */
import '../../write/write.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Operation, operationFor, operations } from '../../api/operations.ts';
import type { Problem } from '../../api/problem.ts';
import { asProblem } from '../../api/read.ts';
import type { NodeStatus } from '../../api/types.ts';
import { useMachines } from '../../api/use-machines.ts';
import { useRead } from '../../api/use-read.ts';
import { tokens } from '../../format/format.ts';
import { longestName } from '../../names/kept-names.ts';
import { nameOf } from '../../names/names.ts';
import { ActButton } from '../../parts/act-button.tsx';
import { Did, didText } from '../../parts/did.tsx';
import type { ExportColumn } from '../../parts/export.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { LooksLike } from '../../parts/looks-like.tsx';
import { Failure, Loading } from '../../parts/reading.tsx';
import { go } from '../../shell/route.ts';
import { canKeep } from '../../write/browser-keys.ts';
import { OperationForm } from '../../write/operation-form.tsx';
import { pageOfReply } from '../../write/page-of-reply.ts';
import { addPerson, giveTokens, loadKeys, type Resident, removePerson, residents } from '../../write/people.ts';

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
  const form = useRef<HTMLFormElement>(null);
  const [problem, setProblem] = useState<Problem>();
  const [added, setAdded] = useState<readonly [did: string, name: string]>();
  const attempt = (work: () => Promise<void>) =>
    void work().then(
      () => setProblem(undefined),
      (error: unknown) => setProblem(asProblem(error)),
    );
  useEffect(() => attempt(loadKeys), []);
  const add = (event: SubmitEvent) => {
    event.preventDefault();
    const given = new FormData(form.current!);
    attempt(async () => {
      const name = String(given.get('name'));
      setAdded([await addPerson(name, String(given.get('passphrase')) || undefined), name]);
      form.current?.reset();
    });
  };
  return (
    <Panel title="People">
      <p>Add two people, give one of them Tokens, and let that one pay the other through an escrow.</p>
      <details class="faint">
        <summary>Where their keys are</summary>
        {canKeep()
          ? 'This browser makes a key for each and keeps it, with the name: the node never sees the key, and it cannot be backed up. ' +
            'The keys trust this page: the node that serves it can have anything signed. If you give a passphrase, the node keeps the key.'
          : 'This browser keeps keys only for pages that come over TLS or from this machine, so the node keeps them.'}{' '}
        The page forgets passphrases when it is reloaded, and then no longer signs with them.
      </details>
      <form class="find" ref={form} onSubmit={add}>
        <label>
          Name
          <input name="name" maxLength={longestName} autocomplete="off" spellcheck={false} required />
        </label>
        <label>
          {canKeep() ? 'Passphrase (optional)' : 'Passphrase'}
          <input name="passphrase" type="password" autocomplete="new-password" required={!canKeep()} />
        </label>
        <button type="submit" class="main">
          Add person
        </button>
      </form>
      {problem && <Failure problem={problem} />}
      {added && <LooksLike did={added[0]} name={added[1]} />}
      {residents.value.length > 0 && (
        <Table
          caption="People made here"
          columns={['Person', 'Name', '#Balance', 'Actions']}
          exported={{ name: 'people', columns: exported, rows: residents.value }}
        >
          {residents.value.map((person, at) => (
            <tr key={person.did}>
              <td>{at + 1}</td>
              <td>
                <Did did={person.did} />
              </td>
              <td class="number">{tokens(person.balance)}</td>
              <td>
                <span class="buttons">
                  <ActButton says="Get Tokens" on={`for ${didText(person.did)}`} act={() => giveTokens(person.did)} />
                  <ActButton
                    says="Remove"
                    on={didText(person.did)}
                    warns={
                      person.kept
                        ? 'This browser deletes the only copy of the key: the Tokens are lost.'
                        : 'The page forgets the passphrase; the node keeps the key.'
                    }
                    act={() => removePerson(person)}
                  />
                </span>
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
  { name: 'name', of: ({ did }) => nameOf(did)?.text },
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
        <p>Add a person first: every write needs a signer.</p>
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
