/** Leaves as readers see them, and back (docs/reference/journal-format.md#leaves). */
import { expect } from 'chai';
import type { Json } from '../../src/core/canonical.js';
import { type LeafText, leafText, newLeaf, type RenderedLeaves, rendered, unrendered } from '../../src/core/leaf.js';

const texts = new Map<string, LeafText>();

function leafOf(text: Json, salt: number) {
  const { leaf, content } = newLeaf(text, Buffer.alloc(16, salt));
  texts.set(content.hash, leafText(content.bytes));
  return leaf;
}

const [kept, gone] = [leafOf('kept', 1), leafOf('gone', 2)];
const value = { list: [{ 'a/b~c': kept }], amount: 5, gone };
const shown = rendered(value, (hash) => (hash === gone.leaf ? undefined : texts.get(hash)));

const changed = (members: object, leaves: RenderedLeaves = {}) =>
  unrendered({ ...(shown.value as object), ...members } as Json, { ...shown.leaves, ...leaves });

describe('Leaves that a reader sees', () => {
  it('are texts, null where they were erased, and give the signed value again', () => {
    expect(shown.value).to.deep.equal({ list: [{ 'a/b~c': 'kept' }], amount: 5, gone: null });
    expect(Object.keys(shown.leaves)).to.deep.equal(['/list/0/a~1b~0c', '/gone']);
    expect(changed({})).to.deep.equal({ value });
  });

  it('are not another text', () => {
    expect(changed({ list: [{ 'a/b~c': 'keep' }] })).to.equal('the text at /list/0/a~1b~0c is not that of its leaf');
    const salt = '01'.repeat(15).concat('03');
    expect(changed({}, { '/list/0/a~1b~0c': { ...kept, salt } })).to.match(/is not that of its leaf$/);
  });

  it('are no text where one was erased: it could be any', () => {
    expect(changed({ gone: 'gone' })).to.equal('the text at /gone is not that of its leaf');
  });
});
