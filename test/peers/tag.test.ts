import assert from 'node:assert/strict';
import { isNamedBy, spelled, spellingOf, tagOf } from '../../src/peers/tag.js';

const ada = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';
const bob = 'did:svc:z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
/** Differs from Ada's DID in the eleventh character of the key. */
const eve = 'did:svc:z6MkpTHR8VNsBxZAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';

describe('tags of homes', () => {
  it('are 8 characters of the key, or as many more as distinguish homes', () => {
    assert.equal(tagOf(ada, [ada, bob]), 'pTHR8VNs');
    assert.equal(tagOf(ada, [bob, eve]), 'pTHR8VNsBxY');
    assert.equal(tagOf(eve, [ada]), 'pTHR8VNsBxZ');
  });

  it('name a home in longer and shorter forms, or as a DID', () => {
    for (const named of [ada, 'pTHR8VNs', 'pTHR8VNsBxY', ada.slice(12)]) assert.ok(isNamedBy(ada, named), named);
    for (const named of [bob, 'pTHR8VN', '', 'did:svc:zzz', 'tHR8VNsB', `${ada.slice(12)}A`]) {
      assert.ok(!isNamedBy(ada, named), named);
    }
  });

  it('follow the id', () => {
    assert.deepEqual(spellingOf('esc-1'), { id: 'esc-1', home: undefined });
    assert.deepEqual(spellingOf(spelled('esc-1', 'pTHR8VNs')), { id: 'esc-1', home: 'pTHR8VNs' });
    assert.deepEqual(spellingOf(`${ada}~${bob}`), { id: ada, home: bob });
    assert.deepEqual(spellingOf('esc-1~'), { id: 'esc-1', home: '' });
  });
});
