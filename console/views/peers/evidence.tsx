/** The evidence against a home: what it signed, verified here, to read and to download. */
import { useEffect, useState } from 'preact/hooks';
import { adminKey } from '../../api/admin-key.ts';
import { path } from '../../api/read.ts';
import type { Checkpoint, PeerEvidence } from '../../api/types.ts';
import { useAdminRead } from '../../api/use-admin-read.ts';
import { useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { tagOf } from '../../format/spelling.ts';
import { AdminFailure } from '../../parts/admin-failure.tsx';
import { AdminKeyForm } from '../../parts/admin-key-form.tsx';
import { Checks } from '../../parts/checks.tsx';
import { type Fact, Facts } from '../../parts/layout.tsx';
import { Failure, Loading } from '../../parts/reading.tsx';
import { save } from '../../parts/save.ts';
import { Code, Copy, Did, Time } from '../../parts/text.tsx';
import type { Check } from '../../proof/check-entry.ts';
import { checkEvidence } from '../../proof/check-equivocation.ts';

/** Most characters of the invalid line that the page shows. The download has all of it. */
const shownCharacters = 4_000;

/** With the admin key the evidence also contains the line. */
export function Evidence({ did }: { did: string }) {
  const url = path`/api/v1/node/peers/${did}/evidence`;
  const isAdmin = adminKey.value !== undefined;
  const open = useRead<PeerEvidence>(url);
  const full = useAdminRead<PeerEvidence>(url);
  const found = (isAdmin ? full.data : undefined) ?? open.data;
  return (
    <>
      <h3>Evidence</h3>
      {found ? (
        <Found evidence={found} />
      ) : open.problem?.status === 404 ? (
        <p>The proof is not complete yet. The home’s next signed checkpoint completes it.</p>
      ) : open.problem ? (
        <Failure problem={open.problem} onRetry={open.reload} />
      ) : (
        <Loading />
      )}
      {isAdmin && full.problem && <AdminFailure problem={full.problem} onRetry={full.reload} />}
    </>
  );
}

function Found({ evidence }: { evidence: PeerEvidence }) {
  const { did, proof, line } = evidence;
  const checks = useChecks(evidence);
  const name = `${proof ? 'proof' : 'evidence'}-${tagOf(did)}.json`;
  const download = () => save(name, 'application/json', `${JSON.stringify(evidence, undefined, 2)}\n`);
  return (
    <>
      <Facts facts={factsOf(evidence)} />
      {checks && checks.length > 0 && <Checks checks={checks} />}
      {!proof && (line === undefined ? <LineForAdmins did={did} /> : <Line text={line} />)}
      <p class="buttons">
        <button type="button" onClick={download}>
          {proof ? 'Download the proof' : 'Download the evidence'}
        </button>
      </p>
      {proof && (
        <p class="faint">
          <code>svc-node verify-equivocation {name}</code> checks it on any machine, without a node.
        </p>
      )}
    </>
  );
}

function useChecks(evidence: PeerEvidence): readonly Check[] | undefined {
  const [checks, setChecks] = useState<readonly Check[]>();
  useEffect(() => {
    let isShown = true;
    void checkEvidence(evidence).then((done) => isShown && setChecks(done));
    return () => {
      isShown = false;
    };
  }, [evidence]);
  return checks;
}

function factsOf({ did, proof, from, accepted, checkpoint }: PeerEvidence): readonly Fact[] {
  if (!proof) {
    const none = 'the home has sent no checkpoint that covers the entry';
    return [['Signed', checkpoint ? <Signed key="signed" checkpoint={checkpoint} /> : none]];
  }
  return [
    ['One journal', <Signed key="one" checkpoint={proof.first} />],
    ['Another', <Signed key="other" checkpoint={proof.second} />],
    [
      'Linked by',
      proof.links && `${count(proof.links.entryHashes.length)} entry hashes from entry ${count(proof.first.seq)} on`,
    ],
    ['Shown by', from === undefined ? undefined : from === did ? 'the home' : <Did key="from" did={from} />],
    ['Decided', accepted && <Decided key="decided" accepted={accepted} />],
  ];
}

const Signed = ({ checkpoint: { seq, chainHash, time } }: { checkpoint: Checkpoint }) => (
  <>
    entry {count(seq)}, signed <Time at={time} />, chain hash <Code text={chainHash} what="chain hash" />
  </>
);

const Decided = ({ accepted: { chainHash, at } }: { accepted: NonNullable<PeerEvidence['accepted']> }) => (
  <>
    on <Time at={at} /> for chain hash <Code text={chainHash} what="chain hash" />
  </>
);

function Line({ text }: { text: string }) {
  const left = text.length - shownCharacters;
  return (
    <>
      <p>What the home has sent:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="json" tabIndex={0} aria-label="The line that was sent">
        <pre class="peer-sent">{text.slice(0, shownCharacters)}</pre>
      </section>
      {left > 0 && <p class="faint">{count(left)} more characters are in the download.</p>}
    </>
  );
}

function LineForAdmins({ did }: { did: string }) {
  const command = `svc-node peers evidence ${did}`;
  return (
    <>
      <p>
        The line that the home has sent may contain a private payload, so only operators can see it: with an admin key
        here, or on the node’s machine with{' '}
        <span class="code">
          <code>{command}</code>
          <Copy text={command} what="command" />
        </span>
      </p>
      {adminKey.value === undefined && (
        <details>
          <summary>Show the line that was sent</summary>
          <AdminKeyForm submit="Show the line">
            You need a key with scope <code>admin</code>. The page keeps the key in memory only.
          </AdminKeyForm>
        </details>
      )}
    </>
  );
}
