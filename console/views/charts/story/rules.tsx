/** The rules of an escrow in words (docs/reference/escrows.md#rules). */
import type { ComponentChildren } from 'preact';
import { mayMeet, type StoredRule } from '../../../../packages/client/src/rule-met.ts';
import type { JsonObject } from '../../../api/types.ts';
import { shortTitle, words } from '../../../format/format.ts';
import { subjectOf } from '../../../parts/references.ts';
import { Code, Did, ResourceLink, Time } from '../../../parts/text.tsx';

const Named = ({ names, last = 'or' }: { names: readonly string[]; last?: 'or' | 'and' }) => (
  <>
    {names.map((name, at) => (
      <span key={name}>
        {at === 0 ? '' : at === names.length - 1 ? ` ${last} ` : ', '}
        {name.startsWith('did:') ? <Did did={name} /> : `the ${name}`}
      </span>
    ))}
  </>
);

interface RuleProps {
  readonly rule: StoredRule;
  readonly pays: string;
  /** The roles that are held: many escrows have no arbiter. */
  readonly roles: readonly string[];
}

function Condition({ rule, pays, roles }: RuleProps) {
  const held = (names: readonly string[]) => names.filter((name) => name.startsWith('did:') || roles.includes(name));
  switch (rule.type) {
    case 'manual':
      return (
        <>
          <Named names={held(mayMeet(rule))} /> may {pays} it
        </>
      );
    case 'time':
      return <>from {rule.after === undefined ? 'then' : <Time at={rule.after} />} on</>;
    case 'hash':
      return (
        <>
          with the preimage of the SHA-256 <Code text={rule.hash ?? ''} what="hash of the rule" />
        </>
      );
    case 'signature': {
      const { signers = [] } = rule;
      const threshold = rule.threshold ?? signers.length;
      return (
        <>
          with {threshold === signers.length ? 'the signatures' : `${threshold} of ${signers.length} signatures`} of{' '}
          <Named names={signers} last="and" />
        </>
      );
    }
    default:
      return (
        <>
          <Named names={held(['depositor', 'arbiter'])} /> names “{rule.type}”
        </>
      );
  }
}

function RuleText({ rule, pays, roles }: RuleProps) {
  const demands = [rule.requiresReason && 'a reason', rule.requiresEvidence && 'evidence'].filter(Boolean);
  return (
    <>
      <span class="faint">{rule.id}:</span> <Condition {...{ rule, pays, roles }} />
      {demands.length > 0 && `, with ${demands.join(' and ')}`}
    </>
  );
}

const List = ({ rules, ...more }: { rules: readonly StoredRule[] } & Omit<RuleProps, 'rule'>) => (
  <ul class="rule-list">
    {rules.map((rule) => (
      <li key={rule.id}>
        <RuleText rule={rule} {...more} />
      </li>
    ))}
  </ul>
);

/** The order, lease or contract that controls an escrow. */
export const ownerOf = (view: JsonObject) => (view.purpose ? subjectOf('escrow', view) : undefined);

/** What an escrow’s Tokens wait for; empty for resources without rules. */
export function rulesOf(view: JsonObject): readonly (readonly [name: string, value: ComponentChildren])[] {
  if (!Array.isArray(view.releaseRules)) return [];
  const owner = ownerOf(view);
  if (owner) {
    const says = (
      <>
        moves with its {words(owner.kind)} only: <ResourceLink {...owner} text={shortTitle(view.title)} />
      </>
    );
    return [['Rule', says]];
  }
  const isOpen = view.lapsed !== true && (view.status === 'created' || view.status === 'funded');
  const roles = ['depositor', 'beneficiary', ...(view.arbiter === null ? [] : ['arbiter'])];
  const [release, refund] = [view.releaseRules as StoredRule[], (view.refundRules ?? []) as StoredRule[]];
  return [
    ['Release', <List key="release" rules={release} pays="release" roles={roles} />],
    [
      'Refund',
      view.revocable ? (
        <>
          by <Named names={roles} />
        </>
      ) : (
        <>
          by <Named names={roles.slice(1)} />; by the depositor if one of these is met:
          <List rules={refund} pays="refund" roles={roles} />
        </>
      ),
    ],
    [
      'Expiry',
      !isOpen ? undefined : typeof view.expiresAt === 'number' ? (
        <>
          {view.status === 'created'
            ? 'if it is not funded, it lapses on '
            : 'what is left goes back to the depositor on '}
          <Time at={view.expiresAt} />
        </>
      ) : view.status === 'created' ? (
        'if it is not funded within 30 days, it lapses'
      ) : (
        'none'
      ),
    ],
  ];
}

/** What the Tokens of other kinds wait for. The kind determines it, so it is the same for all its resources (docs/reference). */
export const kindRules: { readonly [kind: string]: string } = {
  'info-order':
    'paid to the seller when the buyer confirms, or 7 days after delivery; refunded to the buyer if nothing is delivered in time',
  'task-order':
    'paid to the provider when the requester confirms, or 7 days after delivery; refunded to the requester if nothing is delivered in time',
  contract:
    'each milestone is paid to the provider when the client approves it, or does not answer a submission in time; a dispute suspends the contract',
  dispute: 'the arbiter, or the parties by agreement, share out the amount; after 60 days the fallback applies',
  lease: 'what has accrued by the end is paid to the lessor, the rest goes back to the lessee',
  bid: 'the requester who accepts it puts the price into escrow',
};
