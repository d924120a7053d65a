/** Texts that name something, in every request (docs/reference/markets.md#listings). */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import { catalogue } from '../../src/machines/catalogue.js';

const naming = /^(title|displayName|platform|name|category|tags|skills|(info|task|capability)Type)$/;

/** The scalars of texts that name something, by their path. */
function namesIn(path: string, scalar: is.Scalar<unknown>): [string, is.Scalar<unknown>][] {
  const inner = scalar.element ? namesIn(path, scalar.element) : [];
  const members = Object.entries(scalar.fields ?? {}).flatMap(([name, each]) => namesIn(`${path}.${name}`, each));
  const isName = naming.test(path.split('.').at(-1)!) && scalar.schema.type === 'string' && !scalar.schema.enum;
  return [...(isName ? ([[path, scalar]] as const) : []), ...inner, ...members] as [string, is.Scalar<unknown>][];
}

const inputs = Object.values(catalogue.definitions).flatMap((definition) => [
  ...(definition.form === 'machine' ? ([[`${definition.kind}.create`, definition.create.input]] as const) : []),
  ...Object.entries(definition.actions).map(
    ([action, { input }]) => [`${definition.kind}.${action}`, input as is.Scalar<unknown>] as const,
  ),
]);
const names = inputs.flatMap(([path, input]) => namesIn(path, input as is.Scalar<unknown>));

describe('texts that name something', () => {
  it('are found in the requests', () => {
    const found = new Set(names.map(([path]) => path));
    for (const path of ['info-listing.create.title', 'info-listing.update.tags', 'contract.create.milestones.title']) {
      expect(found).to.include(path);
    }
    expect(found).to.include('identity.update.document.displayName');
  });

  for (const [path, scalar] of names) {
    it(`${path}: have a visible character`, () => {
      for (const text of [' ', '\u00a0\t', '\u200b', '\u3164', '\u2800', '\u00ad\u202e']) {
        expect(isRefusal(is.parse(scalar, text)), JSON.stringify(text)).to.equal(true);
      }
      expect(isRefusal(is.parse(scalar, '\u200bA'))).to.equal(false);
    });
  }

  it('are kept in NFC, without white space around them', () => {
    const category = names.find(([path]) => path === 'info-listing.create.category')![1];
    expect(is.parse(category, ' Cafe\u0301 ')).to.equal('Caf\u00e9');
  });
});
