/** The top of a resource's page: who pays whom how much, under which rule, since when, and whether it is proven. */
import type {
  AnyView,
  JsonObject,
  Lease,
  MachineChart,
  MachineHistory,
  MachineStep,
  Milestone,
} from '../../../api/types.ts';
import { marketPath, useMarkets } from '../../../api/use-markets.ts';
import { capital, count, duration, shareASecond, shortTitle, tokens, words } from '../../../format/format.ts';
import { statusOf } from '../../../format/states.ts';
import { amountOf } from '../../../parts/amount.ts';
import { Erased, isErased } from '../../../parts/erased.tsx';
import { type Fact, Facts } from '../../../parts/layout.tsx';
import { Failure } from '../../../parts/reading.tsx';
import { listingOf, type Reference, referencesOf, subjectOf } from '../../../parts/references.ts';
import { Code, Did, ResourceLink, State, Time } from '../../../parts/text.tsx';
import { href } from '../../../shell/route.ts';
import { type Lane, stateAfter } from '../lanes.ts';
import { MoneyBar } from './money-bar.tsx';
import { Proven } from './proven.tsx';
import { kindRules, rulesOf } from './rules.tsx';
import type { StoryData } from './use-story.ts';
import { partiesOf, payerAndPayee } from './view.ts';

interface StoryProps {
  readonly history: MachineHistory;
  readonly at: MachineStep;
  readonly story: StoryData;
  readonly lanes: readonly Lane[];
}

export function Story({ history, at, story, lanes }: StoryProps) {
  const { chart, view, money, entries, isRead, problem, reload } = story;
  const amount = view && amountOf(view);
  // A bid ends when it is accepted; then its order moves the Tokens.
  const balance = history.kind === 'bid' ? undefined : money.get(at.step)?.after;
  return (
    <div class="story" aria-busy={!isRead}>
      <div class="story-head">
        <Now history={history} at={at} chart={chart} isReading={!isRead && !problem} />
        {view && <Headline view={view} amount={amount} />}
      </div>
      {problem && <Failure problem={problem} onRetry={reload} />}
      {isRead && entries.length < history.total && (
        <p class="warn">
          The first {count(entries.length)} of {count(history.total)} entries are read: later steps show no amounts and
          no rules.
        </p>
      )}
      {amount !== undefined && balance && <MoneyBar amount={amount} at={balance} />}
      <Facts
        facts={[
          ['Milestones', lanesText(lanes, at)],
          ...(view ? factsOf(history, view, story.related) : []),
          ...times(history),
          ['Proof', <Proven key="proof" history={history} entries={entries} />],
        ]}
      />
    </div>
  );
}

interface NowProps extends Pick<StoryProps, 'history' | 'at'> {
  readonly chart: MachineChart | undefined;
  readonly isReading: boolean;
}

function Now({ history, at, chart, isReading }: NowProps) {
  const isNewest = at.step === history.steps.length;
  return (
    <p class="now">
      <State path={at.to} tone={toneIn(chart, at.to)} />{' '}
      {isNewest ? (
        <span class="faint">{chart && isFinal(chart, history.state) ? 'final: it can no longer change' : 'now'}</span>
      ) : (
        <span class="faint">
          then; now <State path={history.state} tone={toneIn(chart, history.state)} />
        </span>
      )}
      {history.total > history.steps.length && (
        <span class="warn">
          {' '}
          The first {history.steps.length} of {history.total} steps are shown.
        </span>
      )}
      {isReading && (
        <span class="faint" role="status">
          {' '}
          reading its terms and entries …
        </span>
      )}
    </p>
  );
}

const toneIn = (chart: MachineChart | undefined, state: string) =>
  chart?.states.find(({ path }) => path === state)?.tone;

/** Whether no transition leaves the state or a state around it. */
const isFinal = ({ transitions }: MachineChart, state: string): boolean =>
  !transitions.some(({ from }) => from !== null && (state === from || state.startsWith(`${from}.`)));

function Headline({ view, amount }: { view: JsonObject; amount: number | undefined }) {
  const pair = payerAndPayee(view);
  if (!pair) {
    const isListing = view.listingId === view.id;
    if (isListing && typeof view.title === 'string') return <p class="headline plain-text">{view.title}</p>;
    if (isListing && isErased(view, 'title'))
      return (
        <p class="headline">
          <Erased />
        </p>
      );
    return amount === undefined ? null : (
      <p class="headline">
        <strong>{tokens(amount)}</strong>
      </p>
    );
  }
  const [from, to] = pair;
  if (amount === undefined) {
    return (
      <p class="headline">
        {capital(from.role)} <Did did={from.did} />, {to.role} <Did did={to.did} />,{' '}
        <span class="faint">no amount yet</span>
      </p>
    );
  }
  return (
    <p class="headline">
      <strong>{tokens(amount)}</strong> from the {from.role} <Did did={from.did} /> to the {to.role}{' '}
      <Did did={to.did} />
    </p>
  );
}

/** Parties that the headline does not name, rules, and related resources. */
function factsOf(
  { kind, id, steps }: MachineHistory,
  view: JsonObject,
  related: readonly Reference[],
): readonly Fact[] {
  const exact = shareASecond(steps.map((step) => step.recordedAt));
  const inHeadline = payerAndPayee(view)?.map(({ did }) => did) ?? [];
  // The note at the top of the page names the home.
  const others = partiesOf(view).filter(
    ({ did, role }) => role !== 'home' && (role === 'arbiter' || !inHeadline.includes(did)),
  );
  const listing = listingOf(kind, view);
  const named = [...(listing ? [listing] : []), ...referencesOf(view)];
  // An escrow's rule names what it belongs to.
  const ruled = kind === 'escrow' ? subjectOf(kind, view)?.id : undefined;
  const references = [...named, ...related.filter(({ id }) => named.every((each) => each.id !== id))].filter(
    ({ id }) => id !== ruled,
  );
  return [
    ...others.map(({ role, did }): Fact => [capital(words(role)), <Did key={role} did={did} />]),
    ...(view.arbiter === null ? ([['Arbiter', 'none']] as const) : []),
    ...(view.listingId === view.id
      ? ([['Listing', <InMarket key="listing" type={String(view.marketType)} id={id} />]] as const)
      : []),
    ...rulesOf(view),
    ...(kindRules[kind] === undefined ? [] : ([['Rule', kindRules[kind]]] as const)),
    ...termsOf(view, exact),
    ...[...new Set(references.map((each) => each.kind))].map(
      (of): Fact => [
        capital(words(of)),
        <span key={of}>
          {references
            .filter((each) => each.kind === of)
            .map((each, at) => (
              <span key={each.id}>
                {at > 0 && ', '}
                <ResourceLink {...each} text={each === listing ? shortTitle(view.title) : undefined} />
              </span>
            ))}
        </span>,
      ],
    ),
  ];
}

/** A listing's page in its market has its description, price and orders. */
function InMarket({ type, id }: { type: string; id: string }) {
  const { all } = useMarkets();
  return <a href={href('markets', [marketPath(all, type), id])}>its page in the market</a>;
}

/** `1 of 2 approved`, after a step; and what is left to do once all are. */
function lanesText(lanes: readonly Lane[], { step, to }: MachineStep): string | undefined {
  const [approved, rejected] = ['approved', 'rejected'].map(
    (state) => lanes.filter((lane) => stateAfter(lane, step) === state).length,
  ) as [number, number];
  if (lanes.length === 0) return undefined;
  const isDone = approved === lanes.length && statusOf(to) === 'active';
  return `${approved} of ${lanes.length} approved${rejected > 0 ? `, ${rejected} rejected` : ''}${isDone ? '; the client may now complete the contract' : ''}`;
}

const signedText = (signatures: readonly JsonObject[], exact: boolean) =>
  signatures.length === 0
    ? 'no party yet'
    : signatures.map(({ role, signedAt }, at) => (
        <span key={String(role)}>
          {at > 0 && ', '}
          the {String(role)} {time(signedAt, exact)}
        </span>
      ));

const time = (value: unknown, exact = false) =>
  typeof value === 'number' ? <Time at={value} exact={exact} /> : undefined;

/** The milestones that wait for the client's review. */
function reviewText(milestones: readonly Milestone[]) {
  const waiting = milestones.filter(({ reviewBy }) => reviewBy !== null);
  if (waiting.length === 0) return undefined;
  return waiting.map(({ id, reviewBy }, at) => (
    <span key={id}>
      {at > 0 && '; '}
      {id} waits for review until {time(reviewBy)}, then it is paid
    </span>
  ));
}

/** The agreed terms. Members that a kind does not have are left out. */
function termsOf(view: AnyView, exact: boolean): readonly Fact[] {
  const {
    status,
    termsHash,
    unit,
    unitPrice,
    accrued,
    stats,
    quantity,
    meteredBy,
    reason,
    resolution,
    milestones,
    signatures,
  } = view;
  return [
    ['Review', Array.isArray(milestones) ? reviewText(milestones) : undefined],
    ['Signed by', Array.isArray(signatures) ? signedText(signatures, exact) : undefined],
    ['Terms', typeof termsHash === 'string' ? <Code text={termsHash} what="hash of the terms" head={12} /> : undefined],
    [
      'Price',
      typeof unitPrice === 'number' && typeof unit === 'string' ? `${tokens(unitPrice)} for each ${unit}` : undefined,
    ],
    ['Earned', typeof accrued === 'number' ? tokens(accrued) : undefined],
    ['Calls', isCalls(stats) ? callsText(stats) : undefined],
    ['Quantity', typeof quantity === 'number' ? String(quantity) : undefined],
    ['Metered by', typeof meteredBy === 'string' ? `the ${meteredBy}` : undefined],
    ['Reason', isErased(view, 'reason') ? <Erased /> : typeof reason === 'string' ? words(reason) : undefined],
    ['Ruling', typeof resolution === 'string' ? resolution : undefined],
    ['Deadline', time(view.deadline ?? view.dueAt)],
    ['Deliver by', status === 'paid' || status === 'accepted' ? time(view.deliverBy) : undefined],
    ['Confirm by', time(view.confirmBy)],
    ['Ends', view.endedAt == null ? time(view.endsAt) : undefined],
  ];
}

const isCalls = (stats: unknown): stats is Lease['stats'] =>
  typeof stats === 'object' && stats !== null && 'succeeded' in stats;

/** `4, 1 failed; 12 units; half within 235 ms` */
const callsText = ({ calls, failed, units, p50LatencyMs }: Lease['stats']): string =>
  [
    `${count(calls)}${failed > 0 ? `, ${count(failed)} failed` : ''}`,
    `${count(units)} ${units === 1 ? 'unit' : 'units'}`,
    ...(p50LatencyMs === null ? [] : [`half within ${count(p50LatencyMs)} ms`]),
  ].join('; ');

function times({ steps, total }: MachineHistory): readonly Fact[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return [];
  const lasted = last.recordedAt - first.recordedAt;
  const exact = shareASecond([first.recordedAt, last.recordedAt]);
  return [
    ['Created', <Time key="first" at={first.recordedAt} exact={exact} />],
    [
      'Last change',
      total === 1 ? undefined : (
        <span key="last">
          <Time at={last.recordedAt} exact={exact} />{' '}
          <span class="faint">{lasted < 1_000 ? `${lasted}\u00a0ms` : duration(lasted / 1_000)} later</span>
        </span>
      ),
    ],
  ];
}
