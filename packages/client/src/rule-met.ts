/** Which rule of an escrow a release or refund met (docs/reference/escrows.md#rules), and the reason that the signer gave. */
import type { WrittenRule } from './rule-notation.js';
import type { Entry, MachineStep } from './wire.js';

interface EscrowMembers {
  readonly [name: string]: unknown;
}

/** What is read of a resource beside its steps. */
interface RuleSources {
  readonly entry: Entry;
  readonly view: EscrowMembers;
  /** SHA-256 of the bytes that a hex text stands for. */
  hashOfHex(hex: string): string;
}

export interface StepSources extends Pick<RuleSources, 'hashOfHex'> {
  readonly entry: Entry | undefined;
  readonly view: EscrowMembers | undefined;
}

/** A rule as an escrow's view has it. */
export interface StoredRule extends WrittenRule {
  readonly id: string;
  readonly requiresReason?: boolean;
  readonly requiresEvidence?: boolean;
}

const roleNames = ['depositor', 'beneficiary', 'arbiter'];
const known = ['manual', 'time', 'hash', 'signature'];

export const mayMeet = (rule: StoredRule): readonly string[] => rule.by ?? ['depositor', 'arbiter'];

const isObject = (value: unknown): value is EscrowMembers => typeof value === 'object' && value !== null;

/** The node verified the signatures when it accepted the request; here they are only counted. */
function isMet(rule: StoredRule, { entry, view, hashOfHex }: RuleSources, input: EscrowMembers): boolean {
  const { event, time, leaves } = entry;
  const evidence = isObject(input.evidence) ? input.evidence : {};
  if (rule.requiresReason && !input.reason && !leaves?.['/reason']?.erased) return false;
  if (rule.requiresEvidence && Object.keys(evidence).length === 0) return false;
  switch (rule.type) {
    case 'manual':
      return mayMeet(rule).some((name) => (roleNames.includes(name) ? view[name] : name) === event.issuer);
    case 'time':
      return rule.after !== undefined && time >= rule.after;
    case 'hash':
      return typeof evidence.preimage === 'string' && hashOfHex(evidence.preimage) === rule.hash;
    case 'signature':
      return Array.isArray(evidence.signatures) && evidence.signatures.length > 0;
    default:
      return !known.includes(rule.type) && (input.ruleId === rule.id || input.rule === rule.type);
  }
}

/** Undefined if the action needed no rule. */
function ruleMet(rules: readonly StoredRule[], sources: RuleSources): StoredRule | undefined {
  const input = sources.entry.payload?.input ?? {};
  const named = input.ruleId ?? input.rule;
  const cited = rules.filter(({ id, type }) => named === undefined || id === named || type === named);
  return cited.find((rule) => isMet(rule, sources, input));
}

/** The rule in words for one step; undefined if the step needed none, or if its entry is needed and not read. */
export function ruleOfStep(step: MachineStep, { entry, view, hashOfHex }: StepSources): string | undefined {
  const action = step.path.length > 0 ? step.action : null;
  if (!view || (action !== 'release' && action !== 'refund')) return undefined;
  if (step.role === 'workflow') {
    const { purpose } = view;
    return isObject(purpose) ? `with its ${String(purpose.kind)}` : 'with its order';
  }
  const rules = (action === 'release' ? view.releaseRules : view.refundRules) as readonly StoredRule[] | undefined;
  // A release always meets a rule, so a reader who may not see the request knows which one if there is only one.
  const only = action === 'release' && rules?.length === 1 ? rules[0] : undefined;
  if (!only && !entry) return undefined;
  const rule = only ?? (entry?.payload && ruleMet(rules ?? [], { entry, view, hashOfHex }));
  if (rule) return `${rule.id}: ${rule.type}`;
  // What it met is in a part of the request that this reader may not see.
  if (!entry?.payload || action === 'release') return 'for the parties only';
  return step.role === 'revoker' ? 'revocable by the depositor' : `by the ${step.role ?? 'signer'}`;
}

/** The text that the signer gave with the request; null if it was erased. */
export function reasonOf(entry: Entry | undefined): string | null | undefined {
  const { payload, leaves } = entry ?? {};
  const texts = ['reason', 'feedback', 'note', 'notes'].map((name) =>
    leaves?.[`/${name}`]?.erased ? null : payload?.input[name],
  );
  return texts.find((each): each is string | null => each === null || (typeof each === 'string' && each !== ''));
}
