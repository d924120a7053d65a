/** The result of an audit: the verdict, the first bad entry, and the checks made before it. */

import type { AuditRun } from '../../api/types.ts';
import { count, duration, millis, tokens } from '../../format/format.ts';
import { Facts, Panel } from '../../parts/layout.tsx';
import { Code, Time } from '../../parts/text.tsx';
import { href } from '../../shell/route.ts';
import { checks, titleOf } from './checks.ts';

const verdicts = {
  sound: ['good', '✓', 'The journal is sound'],
  flawed: ['bad', '✗', 'The journal is not sound'],
  unfinished: ['warn', '!', 'The audit reached no verdict'],
  running: ['plain', '…', 'The audit is running'],
} as const;

export function Result({ run }: { run: AuditRun }) {
  const [tone, mark, says] = verdicts[run.status];
  return (
    <div class="stack">
      <section class={`panel verdict verdict-${tone}`} aria-label="Result" data-status={run.status}>
        <p class="mark-of" aria-hidden="true">
          {mark}
        </p>
        <div>
          <h2>{says}</h2>
          <p class="faint">
            {run.status === 'sound'
              ? `Every signature verifies, and everything follows from its ${run.total === 1 ? 'one entry' : `${count(run.total)} entries`}.`
              : run.flaw
                ? run.flaw.seq > 0
                  ? `${count(run.checked)} entries before the first invalid one are sound.`
                  : 'The entries are sound; their settlement on the chain is not.'
                : null}
          </p>
        </div>
      </section>
      {run.flaw && <Flaw flaw={run.flaw} />}
      {run.note && (
        <Panel title="Note">
          <p class="plain-text">{run.note}</p>
        </Panel>
      )}
      <div class="columns">
        <Checked run={run} />
        <About run={run} />
      </div>
    </div>
  );
}

const Flaw = ({ flaw: { seq, eventHash, check, what } }: { flaw: NonNullable<AuditRun['flaw']> }) => (
  <Panel title={seq > 0 ? 'First invalid entry' : 'Problem'} class="flaw">
    <Facts
      facts={[
        [
          'Entry',
          seq > 0 ? (
            <a key="seq" href={href('ledger', ['entry', String(seq)])}>
              {count(seq)}
            </a>
          ) : undefined,
        ],
        [
          'Event',
          seq === 0 ? undefined : eventHash === null ? (
            'cannot be read'
          ) : (
            <Code key="hash" text={eventHash} what="hash of the event" head={16} tail={16} />
          ),
        ],
        ['Failed check', titleOf(check)],
        ['Problem', <strong key="what">{what}</strong>],
      ]}
    />
    {seq > 0 && (
      <p>
        Copy the data directory before you change anything;{' '}
        <a href="/guide/operations#a-damaged-database">A damaged database</a> says what to do next.
      </p>
    )}
  </Panel>
);

/** An audit makes its checks in this order for each entry, so the checks before the failed one passed for that entry. */
function Checked({ run }: { run: AuditRun }) {
  const failed = checks.findIndex(([name]) => name === run.flaw?.check);
  const held = (at: number): boolean | undefined => {
    if (run.status === 'unfinished') return undefined;
    if (checks[at]?.[0] === 'settlement' && !run.chain) return undefined;
    return failed < 0 || at < failed ? true : at === failed ? false : undefined;
  };
  return (
    <Panel title="Checks">
      <ul class="check-list">
        {checks.map(([name, title, says], at) => (
          <Line key={name} holds={held(at)} title={title} says={says} />
        ))}
      </ul>
    </Panel>
  );
}

const Line = ({ holds, title, says }: { holds: boolean | undefined; title: string; says: string }) => (
  <li>
    <span class={`check ${holds === undefined ? 'faint' : holds ? 'good' : 'bad'}`}>
      <span aria-hidden="true">{holds === undefined ? '–' : holds ? '✓' : '✗'}</span>
      <span class="unseen">{holds === undefined ? 'not checked' : holds ? 'passed' : 'failed'}</span>
    </span>
    <span>
      <strong>{title}</strong> <span class="faint">{says}</span>
    </span>
  </li>
);

function About({ run: { journal, chain, startedAt, finishedAt, checked } }: { run: AuditRun }) {
  const tookMs = finishedAt === null ? undefined : finishedAt - startedAt;
  return (
    <Panel title="Scope">
      <Facts
        facts={[
          ['Started', <Time key="at" at={startedAt} />],
          ['Duration', tookMs === undefined ? undefined : tookMs < 60_000 ? millis(tookMs) : duration(tookMs / 1000)],
          ['Entries', count(checked)],
          ['Resources', journal && count(journal.resources)],
          ['Accounts', journal && count(journal.accounts)],
          ['Supply', journal && tokens(journal.supply)],
          ['Head', journal && <Code key="head" text={journal.head} what="chain hash of the head" head={12} tail={8} />],
          ['Chain', chain ? `${chain.chainId}, block ${count(chain.blockNumber)}` : 'compared with none'],
          ['Settled', chain && `${count(chain.settled)} operations`],
          ['Anchored', chain && `${count(chain.anchored)} entries, by ${count(chain.anchors)} anchors`],
          ['Vault', chain && `${tokens(chain.holdings)}, of which ${count(chain.owed)} are the ledger’s`],
        ]}
      />
    </Panel>
  );
}
