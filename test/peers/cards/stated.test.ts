/** Listings whose owner has signed references to texts in the place of other members (docs/reference/feeds.md#cards). */
import { expect } from 'chai';
import type { Json, JsonObject } from '../../../src/core/canonical.js';
import { escaped } from '../../../src/core/leaf.js';
import { catalogue, searchedOf } from '../../../src/machines/catalogue.js';
import type { ListingContext } from '../../../src/machines/listing/machine.js';
import { publishedListing, updatedListing } from '../../../src/machines/listing/stated.js';
import { ada } from '../../world/people.js';

const time = 1_781_524_800_000;
const reference = { leaf: 'f'.repeat(64), size: 1 };

/** The value with the reference in each place in turn, by JSON pointer, with what stood there. */
function* referring(value: Json, pointer = ''): Generator<readonly [pointer: string, value: Json, before: Json]> {
  if (pointer !== '') yield [pointer, reference, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value as JsonObject)) {
    for (const [inner, changed, before] of referring(member as Json, `${pointer}/${escaped(name)}`)) {
      const copy = structuredClone(value) as { [name: string]: Json };
      copy[name] = changed;
      yield [inner, copy, before];
    }
  }
}

describe('A listing with references in the place of members', () => {
  for (const definition of searchedOf(catalogue)) {
    const { kind, create, actions, search } = definition;
    const shown = (context: ListingContext | undefined): void => {
      if (!context) return;
      search!.of('active.open', context as never);
      const snapshot = { kind, id: 'lst-1', state: 'active.open', version: 1, lastHash: '', context };
      expect(JSON.stringify(definition.view(snapshot as never, { time } as never))).to.be.a('string');
    };
    const attempts = (given: Json, texts: (before: Json) => readonly Json[]) =>
      [...referring(given)].flatMap(([pointer, input, before]) =>
        texts(before).map((text) => ({ pointer, input: input as JsonObject, texts: { [reference.leaf]: text } })),
      );

    it(`is shown or left alone: ${kind}`, () => {
      const published = publishedListing(definition, { signer: ada, input: create.example, time, texts: {} });
      expect(published).not.to.equal(undefined);
      const update = { title: 'Another', pricing: create.example.pricing!, tags: ['a', 'b'], expiresAt: time + 1e9 };
      const texts = (before: Json) => [before, 'x', 7, null, [], {}, ['x'], [{}]];
      let count = 0;
      for (const { pointer, input, texts: known } of attempts(create.example, texts)) {
        for (const each of [known, {}]) {
          const attempt = () =>
            shown(
              publishedListing(definition, {
                signer: ada,
                input,
                time,
                texts: each as { readonly [hash: string]: Json },
              }),
            );
          expect(attempt, `${pointer} of ${JSON.stringify(input)}`).not.to.throw();
          count += 1;
        }
      }
      expect(actions.update).not.to.equal(undefined);
      for (const { pointer, input, texts: known } of attempts(update, texts)) {
        for (const each of [known, {}]) {
          const statement = { signer: ada, input, time, texts: each as { readonly [hash: string]: Json } };
          expect(() => shown(updatedListing(definition, published, statement)), pointer).not.to.throw();
          count += 1;
        }
      }
      expect(count).to.be.above(100);
    });
  }
});
