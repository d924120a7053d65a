/** The evidence against a home: what it signed, verified here, to read and to download. */
import { useEffect, useState } from 'preact/hooks';
import { path } from '../../api/read.ts';
import type { Checkpoint, PeerEvidence } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { count } from '../../format/format.ts';
import { homeName, homeTag } from '../../names/home-name.ts';
import { Checks } from '../../parts/checks.tsx';
import { type Fact, Facts } from '../../parts/layout.tsx';
import { Failure, Loading } from '../../parts/reading.tsx';
import { save } from '../../parts/save.ts';
import { Code, Did, Time } from '../../parts/text.tsx';
import type { Check } from '../../proof/check-entry.ts';
import { checkEvidence } from '../../proof/check-equivocation.ts';

/** Most characters of the invalid line that the page shows. The download has all of it. */
const shownCharacters = 4_000;

export function Evidence({ did }: { did: string }) {
  const url = path`/api/v1/node/peers/${did}/evidence`;
  const { data, problem, reload } = useRead<PeerEvidence>(url);
  return (
    <>
      <h3>Evidence</h3>
      {data ? (
        <Found did={did} evidence={data} />
      ) : problem?.status === 404 ? (
        <p>The proof is not complete yet. The home’s next signed checkpoint completes it.</p>
      ) : problem ? (
        <Failure problem={problem} onRetry={reload} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function Found({ did, evidence }: { did: string; evidence: PeerEvidence }) {
  const { proof, line } = evidence;
  const checks = useChecks(evidence);
  const name = `${proof ? 'proof' : 'evidence'}-${homeTag(did)}.json`;
  const download = () => save(name, 'application/json', `${JSON.stringify(evidence, undefined, 2)}\n`);
  return (
    <>
      <Facts facts={factsOf(evidence)} />
      {checks && checks.length > 0 && <Checks checks={checks} />}
      {line !== undefined && <Line did={did} text={line} />}
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
    const none = 'the home has signed no checkpoint with it';
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

const Decided = ({ accepted: { chainHash, acceptedAt } }: { accepted: NonNullable<PeerEvidence['accepted']> }) => (
  <>
    on <Time at={acceptedAt} /> for chain hash <Code text={chainHash} what="chain hash" />
  </>
);

function Line({ did, text }: { did: string; text: string }) {
  const left = text.length - shownCharacters;
  return (
    <>
      <p>What the home has sent:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="json" tabIndex={0} aria-label={`The line that ${homeName(did)} has sent`}>
        <pre class="peer-sent">{text.slice(0, shownCharacters)}</pre>
      </section>
      {left > 0 && <p class="faint">{count(left)} more characters are in the download.</p>}
    </>
  );
}
