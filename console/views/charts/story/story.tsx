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
import { capital, count, duration, shortTitle, tokens, words } from '../../../format/format.ts';
import { type Amounts, amountsIn, outcomeText, whereText } from '../../../format/outcome.ts';
import { amountOf } from '../../../parts/amount.ts';
import { Erased, isErased } from '../../../parts/erased.tsx';
import { type Fact, Facts } from '../../../parts/layout.tsx';
import { Failure } from '../../../parts/reading.tsx';
import { listingOf, type Reference, referencesOf } from '../../../parts/references.ts';
import { Code, Did, ResourceLink, State, Time } from '../../../parts/text.tsx';
import { href } from '../../../shell/route.ts';
import { type Lane, lanesText } from '../lanes.ts';
import { Disputed } from './disputed.tsx';
import { MoneyBar } from './money-bar.tsx';
import { Proven } from './proven.tsx';
import { kindRules, ownerOf, rulesOf } from './rules.tsx';
import type { StoryData } from './use-story.ts';
import { isFinal, partiesOf, payerAndPayee } from './view.ts';

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
  const isNewest = at.step === history.steps.length;
  const amounts = balance ?? (view && isNewest ? amountsIn(view) : {});
  const references = view ? [...referencesOf(view), ...story.related] : [];
  const disputes = new Set(references.flatMap(({ kind, id }) => (kind === 'dispute' ? [id] : [])));
  return (
    <div class="story" aria-busy={!isRead}>
      <div class="story-head">
        <Now history={history} at={at} amounts={amounts} chart={chart} isReading={!isRead && !problem} />
        {view && <Headline {...{ view, amount, amounts, isNewest }} />}
      </div>
      {[...disputes].map((id) => (
        <Disputed key={id} id={id} version={history.version} />
      ))}
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
  readonly amounts: Amounts;
  readonly chart: MachineChart | undefined;
  readonly isReading: boolean;
}

function Now({ history, at, amounts, chart, isReading }: NowProps) {
  const isNewest = at.step === history.steps.length;
  return (
    <p class="now">
      <State path={at.to} tone={toneIn(chart, at.to)} amounts={amounts} />{' '}
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

interface HeadlineProps {
  readonly view: JsonObject;
  readonly amount: number | undefined;
  readonly amounts: Amounts;
  readonly isNewest: boolean;
}

function Headline({ view, amount, amounts, isNewest }: HeadlineProps) {
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
  const until = isNewest && Number(amounts.locked ?? 0) > 0 ? untilOf(view) : undefined;
  return (
    <p class="headline">
      <strong>{tokens(amount)}</strong>
      {outcomeText(amounts) && ' agreed,'} from the {from.role} <Did did={from.did} /> to the {to.role}{' '}
      <Did did={to.did} />
      {whereText(amounts) && (
        <>
          : <strong>{whereText(amounts)}</strong>
        </>
      )}
      {until && <> until {until}</>}
    </p>
  );
}

/** When the clock takes Tokens out of escrow if nothing else does before. */
function untilOf({ status, confirmBy, deliverBy, endedAt, endsAt, expiresAt }: AnyView) {
  const delivery = status === 'paid' || status === 'accepted' ? deliverBy : undefined;
  return time(confirmBy ?? delivery ?? (endedAt === null ? endsAt : undefined) ?? expiresAt);
}

/** Parties that the headline does not name, rules, and related resources. */
function factsOf({ kind, id }: MachineHistory, view: JsonObject, related: readonly Reference[]): readonly Fact[] {
  const inHeadline = payerAndPayee(view)?.map(({ did }) => did) ?? [];
  // The note at the top of the page names the home.
  const others = partiesOf(view).filter(
    ({ did, role }, at, all) =>
      role !== 'home' &&
      (role === 'arbiter' || !(inHeadline.includes(did) || all.slice(0, at).some((each) => each.did === did))),
  );
  const listing = listingOf(kind, view);
  const named = [...(listing ? [listing] : []), ...referencesOf(view)];
  const rules = rulesOf(view);
  // A dispute has its line above, and the rule names what controls an escrow.
  const isSaid = ({ kind: of, id: other }: Reference) =>
    of === 'dispute' || (rules.length === 1 && other === ownerOf(view)?.id);
  const references = [...named, ...related.filter((each) => named.every((one) => one.id !== each.id))].filter(
    (each) => !isSaid(each),
  );
  return [
    ...others.map(({ role, did }): Fact => [capital(words(role)), <Did key={role} did={did} />]),
    ...(view.arbiter === null && !ownerOf(view) ? ([['Arbiter', 'none']] as const) : []),
    ...(view.listingId === view.id
      ? ([['Listing', <InMarket key="listing" type={String(view.marketType)} id={id} />]] as const)
      : []),
    ...rules,
    ...(kindRules[kind] === undefined ? [] : ([['Rule', kindRules[kind]]] as const)),
    ...termsOf(view),
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

const signedText = (signatures: readonly JsonObject[]) =>
  signatures.length === 0
    ? 'no party yet'
    : signatures.map(({ role, signedAt }, at) => (
        <span key={String(role)}>
          {at > 0 && ', '}
          the {String(role)} {time(signedAt)}
        </span>
      ));

const time = (value: unknown) => (typeof value === 'number' ? <Time at={value} /> : undefined);

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
function termsOf(view: AnyView): readonly Fact[] {
  const { status, termsHash, unit, unitPrice, quantity, meteredBy, reason, resolution, milestones, signatures } = view;
  return [
    ['Review', Array.isArray(milestones) ? reviewText(milestones) : undefined],
    ['Signed by', Array.isArray(signatures) ? signedText(signatures) : undefined],
    ['Terms', typeof termsHash === 'string' ? <Code text={termsHash} what="hash of the terms" head={12} /> : undefined],
    [
      'Price',
      typeof unitPrice === 'number' && typeof unit === 'string' ? `${tokens(unitPrice)} for each ${unit}` : undefined,
    ],
    ['Earned', isLease(view) ? earnedText(view) : undefined],
    ['Calls', isLease(view) ? callsText(view) : undefined],
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

const isLease = (view: AnyView): view is Lease =>
  typeof view.accrued === 'number' && typeof view.plan === 'object' && typeof view.stats === 'object';

/** The Tokens, and the clause of the plan from which they follow where the figures alone do not say it. */
function earnedText({ accrued, plan, stats, unit, unitPrice }: Lease): string {
  const whole = stats.units * unitPrice;
  if (plan.budget === null)
    return accrued === 0 ? tokens(accrued) : `${tokens(accrued)}; a ${unit} is paid whole once it has begun`;
  if (whole <= accrued) return tokens(accrued);
  const used = `${count(stats.units)} units at ${count(unitPrice)} are ${count(whole)}`;
  return `${tokens(accrued)}; ${used}, but the calls may charge no more than the ${count(plan.budget)} in escrow`;
}

/** `4, 1 failed but charged; 12 units; half within 235 ms` */
const callsText = ({ plan, stats: { calls, failed, units, p50LatencyMs } }: Lease): string =>
  [
    `${count(calls)}${failed > 0 ? `, ${count(failed)} failed${plan.budget === null ? '' : ' but charged'}` : ''}`,
    `${count(units)} ${units === 1 ? 'unit' : 'units'}`,
    ...(p50LatencyMs === null ? [] : [`half within ${count(p50LatencyMs)} ms`]),
  ].join('; ');

function times({ steps, total }: MachineHistory): readonly Fact[] {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!first || !last) return [];
  const lasted = last.recordedAt - first.recordedAt;
  return [
    ['Created', <Time key="first" at={first.recordedAt} />],
    [
      'Last change',
      total === 1 ? undefined : (
        <span key="last">
          <Time at={last.recordedAt} />{' '}
          <span class="faint">{lasted < 1_000 ? `${lasted}\u00a0ms` : duration(lasted / 1_000)} later</span>
        </span>
      ),
    ],
  ];
}
