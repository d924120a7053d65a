/** What an entry did, as a sentence: 'Ada released 5 of 11 Tokens to Lea, escrow esc-…'. */
import type { ComponentChildren } from 'preact';
import { path } from '../api/read.ts';
import type { Entry, Replies } from '../api/types.ts';
import { useRead } from '../api/use-read.ts';
import { count, tokens, words } from '../format/format.ts';
import { aboutOf } from './entry-columns.ts';
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
  return (
    <>
      {by} {did}{' '}
      {about === undefined || isOwn ? `${isOwn ? 'their ' : ''}${words(thing)}` : <Thing {...about} name={thing} />}
      {payload?.action === 'review' && <To to={payload.input?.target as string | undefined} says="of" />}
      {moves.map(({ op, amount = 0, from, to }) => (
        <Consequence key={op} {...{ op, amount, from, to }} />
      ))}
    </>
  );
}

/** Names the thing as its event does, because one about a milestone names the contract. */
const Thing = ({ kind, id, name }: { kind: string; id: string; name: string }) => (
  <>
    {kind.endsWith(name) || isDid(id) ? words(kind) : `a ${words(name)} of ${words(kind)}`}{' '}
    <ResourceLink kind={kind} id={id} />
  </>
);

/** `5 of 11 Tokens`: an escrow's amount never changes. */
function Share({ amount, escrow }: { amount: number; escrow: string }) {
  const { data } = useRead<Replies['getEscrow']>(path`/api/v1/escrows/${escrow}`);
  return data && data.amount > amount ? `${count(amount)} of ${tokens(data.amount)}` : tokens(amount);
}

function Consequence({ op, amount, from, to }: SaidMove): ComponentChildren {
  const said = tokens(amount ?? 0);
  if (op === 'lock') return `, ${said} in escrow`;
  if (op === 'unreserve') return `, ${said} free again`;
  if (op === 'release') return <To to={to} says={`, ${said} paid to`} />;
  if (op === 'refund' || op === 'expire') return <To to={from} says={`, ${said} back to`} />;
  return null;
}
