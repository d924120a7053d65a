/** Which members of views and inputs only the parties and the arbiter may read, compared with the schemas. */
import { expect } from 'chai';
import { isConfidential, publicPart } from '../../src/core/schema/confidential.js';
import type { JsonSchema } from '../../src/core/schema/scalar.js';
import * as a from '../../src/core/schema/shape.js';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { isFree, isFreeText } from '../node/support/canaries.js';

const closed = machinesOf(catalogue).filter(({ payloadReaders }) => payloadReaders);
/**
 * Names, and members that are public (docs/reference/contracts-and-disputes.md#confidentiality). Every other member that can
 * hold a text must be confidential.
 */
const names = /(^|\.)(\w*Id|id|kind|action|ruleId|rule|\w*Hex|erased)$|^permittedActions|^reviews|signatures/;

/** Members of a view that can hold a caller's text and that everyone may read. */
function openTexts(schema: JsonSchema, at = ''): string[] {
  if (isConfidential(schema)) return [];
  const { anyOf, items, properties } = schema as { [word: string]: never };
  if (anyOf) return (anyOf as JsonSchema[]).flatMap((each) => openTexts(each, at));
  if (items) return openTexts(items, at);
  if (properties) {
    return Object.entries<JsonSchema>(properties).flatMap(([name, each]) =>
      openTexts(each, at ? `${at}.${name}` : name),
    );
  }
  return (schema.type !== 'null' && isFree(schema)) || isFreeText(schema) ? [at] : [];
}

describe('What is confidential', () => {
  it('is so of contracts, disputes, escrows and orders', () => {
    expect(closed.map(({ kind }) => kind)).to.have.members([
      'contract',
      'dispute',
      'escrow',
      'info-order',
      'task-order',
    ]);
  });

  for (const { kind, viewSchema, openPayloads, create, actions } of closed) {
    if (!openPayloads) {
      it(`is every text in the view of a ${kind} that is no name`, () => {
        expect(openTexts(viewSchema).filter((each) => !names.test(each))).to.deep.equal([]);
      });
      continue;
    }
    it(`is every text that an action on a ${kind} takes and that is no name`, () => {
      for (const [action, { input }] of Object.entries(actions)) {
        const open = Object.entries(input.fields ?? {})
          .filter(([, field]) => !field.confidential && (isFree(field.schema) || isFreeText(field.schema)))
          .map(([name]) => name);
        expect(
          open.filter((name) => !names.test(name)),
          action,
        ).to.deep.equal([]);
      }
      if (kind === 'escrow') expect(create.input.fields).to.have.property('releaseRules');
    });
  }

  for (const { kind, roles, payloadReaders } of closed.filter(({ roles }) => roles.arbiter)) {
    it(`in a ${kind} is shown to its arbiter`, () => {
      const context = { arbiter: 'arbiter', terms: { arbiter: 'arbiter' }, disputeId: null, networkArbiter: null };
      expect(roles.arbiter!(context)).to.deep.equal(['arbiter']);
      expect(payloadReaders!(context)).to.include('arbiter');
    });
  }

  it('is taken out of objects, of lists, and out of what is open', () => {
    const schema = a.object({
      open: a.text,
      hidden: a.confidential(a.text),
      list: a.list(a.object({ open: a.text, hidden: a.confidential(a.anything) })),
      maybe: a.nullable({ ...a.object({}, { known: a.count }), additionalProperties: a.confidential(a.anything) }),
    });
    const one = { open: 'x', hidden: 'y' };
    const whole = { ...one, list: [one, one], maybe: { known: 1, other: 2 } };
    expect(publicPart(schema, whole)).to.deep.equal({
      open: 'x',
      list: [{ open: 'x' }, { open: 'x' }],
      maybe: { known: 1 },
    });
    expect(publicPart(schema, { ...one, list: [], maybe: null })).to.deep.equal({ open: 'x', list: [], maybe: null });
    expect(whole.list[0]).to.deep.equal(one);
    expect(schema.required).to.deep.equal(['open', 'list', 'maybe']);
  });
});
