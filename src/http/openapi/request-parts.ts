/** Names for the parts of request bodies that several operations share. Without one, generators name a part after one of them. */
import type { JsonSchema } from '../../core/schema/scalar.js';
import { named } from '../../core/schema/shape.js';

/**
 * Titles by member; of a list, its items have it. None is a kind with a member behind it (`ContractTerms`): openapi-python-client
 * names the parts of replies so.
 */
const titles: { readonly [member: string]: string | undefined } = {
  pricing: 'PricingInput',
  license: 'LicenseInput',
  quota: 'QuotaInput',
  timeline: 'TimelineInput',
  terms: 'TermsInput',
  payment: 'PaymentInput',
  milestones: 'MilestoneInput',
  releaseRules: 'RuleInput',
  refundRules: 'RuleInput',
};

/** Titles of the alternatives of a part, in their order. */
const alternatives: { readonly [title: string]: readonly string[] | undefined } = {
  RuleInput: ['EvaluatedRuleInput', 'CitedRuleInput'],
};

/** @returns the schema of a body in which these members are components */
export function withNamedParts(body: JsonSchema): JsonSchema {
  const { properties } = body as { readonly properties?: { readonly [name: string]: JsonSchema } };
  if (!properties) return body;
  const parts = Object.entries(properties).map(([name, part]) => [name, titled(part, titles[name])]);
  return { ...body, properties: Object.fromEntries(parts) };
}

function titled(part: JsonSchema, title: string | undefined): JsonSchema {
  if (title === undefined) return part;
  if (part.items) return { ...part, items: titled(part.items as JsonSchema, title) };
  // A bid's `timeline` is a text.
  if (!part.properties && !part.anyOf) return part;
  const { description, anyOf, ...whole } = part as JsonSchema & { readonly anyOf?: readonly JsonSchema[] };
  const choices = anyOf?.map((each, index) => ({ ...each, title: alternatives[title]?.[index] }));
  return {
    ...named(title, choices ? { anyOf: choices, ...whole } : whole),
    ...(description === undefined ? {} : { description }),
  };
}
