/** Which rule of an escrow a release or refund met (docs/reference/escrows.md#rules), and the reason that the signer gave. */
import type { Entry, JsonObject, MachineStep } from '../../../api/types.ts';
import { sha256HexOfHex } from '../../../proof/hash.ts';
import type { Rule } from './view.ts';

interface Parties {
  readonly [role: string]: unknown;
}

const roleNames = ['depositor', 'beneficiary', 'arbiter'];
const known = ['manual', 'time', 'hash', 'signature'];

export const namesIn = (rule: Rule): readonly string[] => rule.by ?? ['depositor', 'arbiter'];

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

/** The node verified the signatures when it accepted the request; here they are only counted. */
function isMet(rule: Rule, parties: Parties, { event, time, leaves }: Entry, input: JsonObject): boolean {
  const evidence = isObject(input.evidence) ? input.evidence : {};
  if (rule.requiresReason && !input.reason && !leaves?.['/reason']?.erased) return false;
  if (rule.requiresEvidence && Object.keys(evidence).length === 0) return false;
  switch (rule.type) {
    case 'manual':
      return namesIn(rule).some((name) => (roleNames.includes(name) ? parties[name] : name) === event.issuer);
    case 'time':
      return rule.after !== undefined && time >= rule.after;
    case 'hash':
      return typeof evidence.preimage === 'string' && sha256HexOfHex(evidence.preimage) === rule.hash;
    case 'signature':
      return Array.isArray(evidence.signatures) && evidence.signatures.length > 0;
    default:
      return !known.includes(rule.type) && (input.ruleId === rule.id || input.rule === rule.type);
  }
}

/** Undefined if this reader may not see the request, or if the action needed no rule. */
export function ruleMet(entry: Entry | undefined, rules: readonly Rule[], parties: Parties): Rule | undefined {
  const input = entry?.payload?.input;
  if (!entry || !input) return undefined;
  const named = input.ruleId ?? input.rule;
  const cited = rules.filter(({ id, type }) => named === undefined || id === named || type === named);
  return cited.find((rule) => isMet(rule, parties, entry, input));
}

/** The rule in words for one step; undefined if the step needed none, or if its entry is needed and not read. */
export function ruleOfStep(
  step: MachineStep,
  entry: Entry | undefined,
  view: JsonObject | undefined,
): string | undefined {
  const action = step.path.length > 0 ? step.action : null;
  if (!view || (action !== 'release' && action !== 'refund')) return undefined;
  if (step.role === 'workflow') {
    const { purpose } = view;
    return isObject(purpose) ? `with its ${String(purpose.kind)}` : 'with its order';
  }
  const rules = (action === 'release' ? view.releaseRules : view.refundRules) as readonly Rule[] | undefined;
  // A release always meets a rule, so a reader who may not see the request knows which one if there is only one.
  const only = action === 'release' && rules?.length === 1 ? rules[0] : undefined;
  if (!only) {
    if (!entry) return undefined;
    if (!entry.payload) return 'for the parties only';
  }
  const rule = only ?? ruleMet(entry, rules ?? [], view);
  if (rule) return `${rule.id}: ${rule.type}`;
  if (action === 'refund' && step.role === 'revoker') return 'revocable by the depositor';
  return action === 'refund' ? `by the ${step.role ?? 'signer'}` : undefined;
}

/** The text that the signer gave with the request; null if it was erased. */
export function reasonOf(entry: Entry | undefined): string | null | undefined {
  const { payload, leaves } = entry ?? {};
  const texts = ['reason', 'feedback', 'note', 'notes'].map((name) =>
    leaves?.[`/${name}`]?.erased ? null : payload?.input[name],
  );
  return texts.find((each): each is string | null => each === null || (typeof each === 'string' && each !== ''));
}
