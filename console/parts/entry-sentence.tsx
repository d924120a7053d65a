/**
 * What an entry did, as a sentence: 'Ada released 5 of 11 Tokens to Lea, escrow esc-…', 'Ben bought “Weather of Lyon” of Ada for
 * 3 Tokens'. Titles are those that the node shows to this reader now.
 */
import type { ComponentChildren } from 'preact';
import type { Entry, JsonObject } from '../api/types.ts';
import { viewNamed } from '../api/views.ts';
import { count, shortTitle, tokens, words } from '../format/format.ts';
import { aboutOf } from './entry-columns.ts';
import type { Reference } from './references.ts';
import { Did, ResourceLink } from './text.tsx';

interface SaidMove {
  readonly op: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly amount?: number;
}

/** What an event says of its thing, by its type or the end of that, where the end alone is not the verb. */
const verbs: { readonly [event: string]: string } = {
  'bid.withdrawn': 'withdrew',
  'clock.corrected': 'corrected the clock of',
  'contract.consented': 'consented to the end of',
  'contract.overdue': 'found overdue',
  'moderation.hidden': 'hid',
  'moderation.shown': 'showed again',
  'node.appointed': 'appointed the system key of',
  'resolution-proposed': 'proposed a resolution of',
  expired: 'ended in time',
  frozen: 'froze',
  lapsed: 'ended unfunded',
  unfrozen: 'unfroze',
};

/** Moves between accounts, which are about no other resource. */
const payments: { readonly [op: string]: string } = {
  transfer: 'sent',
  mint: 'gave',
  deposit: 'brought in',
  withdraw: 'withdrew',
  collect: 'paid out of the fees',
};

const To = ({ to, says = 'to' }: { to: string | undefined; says?: string }) =>
  to === undefined ? null : (
    <>
      {says.startsWith(',') ? '' : ' '}
      {says} {to.startsWith('did:') ? <Did did={to} /> : <code>{to}</code>}
    </>
  );

const isDid = (id: string): boolean => id.startsWith('did:');

export function EntrySentence({ entry }: { entry: Entry }) {
  const { event, payload } = entry;
  const moves = entry.moves as readonly SaidMove[];
  const payment = moves.find(({ op }) => op in payments);
  const by = <Did did={event.issuer} />;
  if (payment)
    return (
      <>
        {by} {payments[payment.op]} {tokens(payment.amount ?? 0)}
        <To to={payment.to} />
      </>
    );
  const [thing = '', verb = ''] = event.type.split('.');
  const did = verbs[event.type] ?? verbs[verb] ?? words(verb);
  const about = aboutOf(entry);
  const view = about && hasView(about, payload) ? viewNamed(about.kind, about.id) : undefined;
  const isOwn = about?.id === event.issuer;
  const paid = moves.find(({ op }) => op === 'release' || op === 'refund' || op === 'expire');
  if (thing === 'escrow' && paid && about)
    return (
      <>
        {by} {paid.op === 'expire' ? 'returned' : did} <Share amount={paid.amount ?? 0} escrow={about.id} />
        <To to={paid.op === 'release' ? paid.to : paid.from} />, escrow <ResourceLink {...about} />
        {paid.op === 'expire' && ', which has expired'}
      </>
    );
  if (thing === 'moderation' && payload?.id)
    return (
      <>
        {by} {did} {isDid(payload.id) ? 'the profile of ' : 'the listing '}
        {isDid(payload.id) ? <Did did={payload.id} /> : <code>{payload.id}</code>}: {String(payload.input?.reason)}
      </>
    );
  if (thing === 'account' && payload?.id)
    return (
      <>
        {by} {did} the account of <Did did={payload.id} />
      </>
    );
  const title = shortTitle(view?.title);
  if (event.type === 'order.purchased' && about && title !== undefined)
    return (
      <>
        {by} bought <Titled {...about} title={title} />
        <To to={view?.seller as string | undefined} says="of" /> for{' '}
        {tokens(moves.find(({ op }) => op === 'lock')?.amount ?? 0)}
      </>
    );
  const part = milestoneIn(view, payload?.input?.milestoneId);
  return (
    <>
      {by} {did}{' '}
      {about === undefined || isOwn ? (
        `${isOwn ? 'their ' : ''}${words(thing)}`
      ) : (
        <Thing {...about} name={thing} title={title} part={part} />
      )}
      {payload?.action === 'review' && <To to={payload.input?.target as string | undefined} says="of" />}
      {moves.map(({ op, amount = 0, from, to }) => (
        <Consequence key={op} {...{ op, amount, from, to }} />
      ))}
    </>
  );
}

/** Whether a line may say what it is about: the payload of a listing that this reader may not see is not shown. */
const hasView = ({ kind, id }: Reference, payload: Entry['payload'] | undefined): boolean =>
  !isDid(id) && kind !== 'moderation' && kind !== 'leaf' && (!kind.endsWith('-listing') || payload !== undefined);

/** The title of a milestone of a contract; undefined for readers who may not see it. */
function milestoneIn(view: JsonObject | undefined, milestoneId: unknown): string | undefined {
  const milestones = (view?.milestones ?? []) as readonly JsonObject[];
  return shortTitle(milestones.find(({ id }) => id === milestoneId)?.title);
}

const Titled = ({ title, ...resource }: Reference & { title: string }) => (
  <>
    “<ResourceLink {...resource} text={title} />”
  </>
);

/** Between the kind and the title of what it is about; listings and contracts have titles of themselves. */
const joined = (kind: string): string =>
  ({ dispute: ' about', bid: ' on' })[kind] ?? (kind === 'contract' || kind.endsWith('-listing') ? '' : ' of');

interface ThingProps extends Reference {
  readonly name: string;
  readonly title: string | undefined;
  /** Title of the milestone. */
  readonly part: string | undefined;
}

/** Names the thing as its event does, because one about a milestone names the contract. */
const Thing = ({ kind, id, name, title, part }: ThingProps) => (
  <>
    {kind.endsWith(name) || isDid(id) ? (
      words(kind)
    ) : part === undefined ? (
      `a ${words(name)} of ${words(kind)}`
    ) : (
      <>
        {words(name)} “<bdi>{part}</bdi>” of {words(kind)}
      </>
    )}
    {title === undefined ? (
      <>
        {' '}
        <ResourceLink kind={kind} id={id} />
      </>
    ) : (
      <>
        {joined(kind)} <Titled kind={kind} id={id} title={title} />
      </>
    )}
  </>
);

/** `5 of 11 Tokens`: an escrow's amount never changes. */
function Share({ amount, escrow }: { amount: number; escrow: string }) {
  const whole = viewNamed('escrow', escrow)?.amount;
  return typeof whole === 'number' && whole > amount ? `${count(amount)} of ${tokens(whole)}` : tokens(amount);
}

function Consequence({ op, amount, from, to }: SaidMove): ComponentChildren {
  const said = tokens(amount ?? 0);
  if (op === 'lock') return `, ${said} in escrow`;
  if (op === 'unreserve') return `, ${said} free again`;
  if (op === 'release') return <To to={to} says={`, ${said} paid to`} />;
  if (op === 'refund' || op === 'expire') return <To to={from} says={`, ${said} back to`} />;
  return null;
}
