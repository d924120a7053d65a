/**
 * Release and refund rules (docs/reference/escrows.md#rules): their schemas, and whether one is satisfied. Pure.
 */

import { type Json, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { publicKeyOf } from '../../core/codecs/did.js';
import { verify } from '../../core/codecs/signature-check.js';
import type { Leaf } from '../../core/leaf.js';
import { invalid, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { isBlank } from '../deliverable/blank.js';

export interface Rule {
  readonly id: string;
  readonly type: string;
  readonly by?: readonly string[];
  readonly after?: number;
  readonly hash?: string;
  readonly signers?: readonly string[];
  readonly threshold?: number;
  readonly requiresEvidence?: boolean;
  readonly requiresReason?: boolean;
}

export interface Parties {
  readonly depositor: string;
  readonly beneficiary: string;
  readonly arbiter: string | null;
}

export interface RuleClaim {
  readonly signer: string;
  readonly time: number;
  readonly evidence?: Json | undefined;
  readonly reason?: Leaf | undefined;
  /** Whether the request selects the rule, by `ruleId` or `rule`. */
  readonly cited: boolean;
  /** The text that the signers of a `signature` rule sign; undefined without `resourcePrev`. */
  readonly message: string | undefined;
}

/** Types that the node evaluates. */
export const ruleTypes = ['manual', 'time', 'hash', 'signature'] as const;
/** Types that only escrows created by workflows have. */
const workflowTypes = ['order', 'milestone', 'lease', 'contract'];
const roleNames = ['depositor', 'beneficiary', 'arbiter'];
export const mostRules = 16;
const mostNamed = 16;

const forEveryType = {
  id: is.optional(is.chosenId(), 'Id of the rule, which `ruleId` names; default: `rule-1`, `rule-2`, …'),
  requiresEvidence: is.optional(is.boolean, 'Whether `evidence` is required too.'),
  requiresReason: is.optional(is.boolean, 'Whether `reason` is required too.'),
};

const common = [...Object.keys(forEveryType), 'type'];
/** A member that the type is not evaluated by would be ignored in silence, so a request may not give it. */
const namedByType = {
  manual: [...common, 'by'],
  time: [...common, 'after'],
  hash: [...common, 'hash'],
  signature: [...common, 'signers', 'threshold'],
};

/** A rule in a request. Rules of other types may have other members, which are kept. */
export const ruleScalar = is.atMostBytes(
  is.variant('type', ruleTypes, {
    named: namedByType,
    known: is.object({
      ...forEveryType,
      type: is.described(
        is.oneOf(...ruleTypes),
        'What satisfies the rule: `manual`, a decision of someone in `by`; `time`, the time `after`; `hash`, a text whose hash is `hash`; `signature`, signatures of `signers`.',
      ),
      by: is.optional(
        is.list(is.text(128, 1), 1, mostNamed),
        'manual: who may act, as roles (depositor, beneficiary, arbiter) or DIDs; default: depositor and arbiter.',
      ),
      after: is.optional(
        is.time,
        'time: the rule is satisfied from this time on. ISO 8601 with an offset, or epoch milliseconds.',
      ),
      hash: is.optional(is.hash, 'hash: SHA-256 of the required `evidence.preimage`, hex.'),
      signers: is.optional(is.list(is.did, 1, mostNamed), 'signature: DIDs whose signatures count.'),
      threshold: is.optional(is.integer(1, mostNamed), 'signature: how many of them must sign; default all.'),
    }),
    other: is.notMisspelt(
      is.openObject({
        ...forEveryType,
        type: is.described(
          is.notNearly(is.text(64, 1), ruleTypes),
          'Any other word, unless it is nearly one of those above (`Time`, `signatures`): the rule is satisfied if the depositor or the arbiter names it.',
        ),
      }),
    ),
  }),
  8_192,
);

const isEvaluated = (rule: { readonly type: string }): boolean => (ruleTypes as readonly string[]).includes(rule.type);

/** Numbers the rules, normalises their DIDs, and refuses rules that can never be satisfied. */
export function rulesOf(
  field: string,
  given: readonly is.TypeOf<typeof ruleScalar>[],
  expiresAt: number | null,
): Rule[] | Refusal {
  const rules: Rule[] = [];
  for (const [index, raw] of given.entries()) {
    const at = `${field}.${index}`;
    if (workflowTypes.includes(raw.type)) return invalid(`${at}.type`, `${raw.type} belongs to a workflow's escrow`);
    const rule = { ...raw, id: raw.id ?? `rule-${index + 1}` } as Rule & JsonObject;
    if (rules.some((other) => other.id === rule.id)) return invalid(`${at}.id`, 'is taken by an earlier rule');
    if (!isEvaluated(rule)) {
      rules.push(rule);
      continue;
    }
    const flaw = flawOf(rule, at, expiresAt);
    if (flaw) return flaw;
    const by = rule.by?.map((name) => (roleNames.includes(name) ? name : normalised(name)));
    if (by?.some((name) => name === undefined))
      return invalid(`${at}.by`, 'names roles (depositor, beneficiary, arbiter) or DIDs');
    rules.push(by ? { ...rule, by: by as string[] } : rule);
  }
  return rules;
}

function normalised(name: string): string | undefined {
  const did = is.parse(is.did, name);
  return typeof did === 'string' ? did : undefined;
}

function flawOf(rule: Rule, at: string, expiresAt: number | null): Refusal | undefined {
  if (rule.type === 'time') {
    if (rule.after === undefined) return invalid(`${at}.after`, 'is required');
    if (expiresAt !== null && rule.after >= expiresAt) return invalid(`${at}.after`, 'must be before expiresAt');
  }
  if (rule.type === 'hash' && rule.hash === undefined) return invalid(`${at}.hash`, 'is required');
  if (rule.type === 'signature') {
    if (!rule.signers) return invalid(`${at}.signers`, 'is required');
    if (new Set(rule.signers).size !== rule.signers.length) return invalid(`${at}.signers`, 'must be distinct');
    if ((rule.threshold ?? rule.signers.length) > rule.signers.length)
      return invalid(`${at}.threshold`, 'exceeds the number of signers');
  }
  return undefined;
}

/** Whether rules of this type let the beneficiary claim alone. */
export const lets = (rule: Rule): boolean => rule.type === 'time' || rule.type === 'hash' || rule.type === 'signature';

/** The DIDs of a manual rule; roles are resolved, by default depositor and arbiter. */
export const namedBy = (rule: Rule, parties: Parties): (string | null)[] =>
  (rule.by ?? ['depositor', 'arbiter']).map((name) =>
    roleNames.includes(name) ? parties[name as keyof Parties] : name,
  );

export function satisfied(rule: Rule, parties: Parties, claim: RuleClaim): boolean {
  if (rule.requiresReason && isBlank(claim.reason)) return false;
  if (rule.requiresEvidence && isBlank(claim.evidence)) return false;
  switch (rule.type) {
    case 'manual':
      return namedBy(rule, parties).includes(claim.signer);
    case 'time':
      return claim.time >= (rule.after ?? Number.POSITIVE_INFINITY);
    case 'hash':
      return preimageMatches(rule, claim.evidence);
    case 'signature':
      return signaturesSuffice(rule, claim);
    default:
      return claim.cited && (claim.signer === parties.depositor || claim.signer === parties.arbiter);
  }
}

const member = (evidence: Json | undefined, name: string): Json | undefined =>
  typeof evidence === 'object' && evidence !== null && !Array.isArray(evidence) && Object.hasOwn(evidence, name)
    ? (evidence as JsonObject)[name]
    : undefined;

/** Hexadecimal digits of a preimage: 1 KiB. */
const longestPreimage = 2048;

/** `evidence.preimage`: hex. */
function preimageMatches(rule: Rule, evidence: Json | undefined): boolean {
  const preimage = member(evidence, 'preimage');
  if (typeof preimage !== 'string' || preimage.length > longestPreimage) return false;
  return /^([0-9a-fA-F]{2})*$/.test(preimage) && sha256Hex(Buffer.from(preimage, 'hex')) === rule.hash;
}

/** `evidence.signatures`: `[{ did, signature }]`, base64url; each signer counts once. */
function signaturesSuffice(rule: Rule, { evidence, message }: RuleClaim): boolean {
  const signatures = member(evidence, 'signatures');
  if (message === undefined || !Array.isArray(signatures) || signatures.length > mostNamed) return false;
  const signers = new Set<string>();
  for (const each of signatures as readonly Json[]) {
    const name = member(each, 'did') ?? member(each, 'signer');
    const signature = member(each, 'signature');
    if (typeof name !== 'string' || typeof signature !== 'string') continue;
    const did = normalised(name);
    if (!did || !rule.signers?.includes(did)) continue;
    if (isSigned(each as JsonObject, { did, message, signature })) signers.add(did);
  }
  return signers.size >= (rule.threshold ?? rule.signers?.length ?? Number.POSITIVE_INFINITY);
}

/** Caches for each signature in the evidence the last message that it was checked against, with the result. */
const verdicts = new WeakMap<JsonObject, { readonly message: string; readonly holds: boolean }>();

/** Verifies a signature once: each rule and each guard would do so again, at 0.2 ms each. */
function isSigned(
  piece: JsonObject,
  { did, message, signature }: { readonly did: string; readonly message: string; readonly signature: string },
): boolean {
  const known = verdicts.get(piece);
  if (known?.message === message) return known.holds;
  const holds = verify(publicKeyOf(did), message, signature);
  verdicts.set(piece, { message, holds });
  return holds;
}
