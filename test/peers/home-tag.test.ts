import assert from 'node:assert/strict';
import { cardId, cardIdParts } from '../../src/peers/cards/foreign-cards.js';
import { namedBeginning, tagOf } from '../../src/peers/cards/home-tag.js';

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
    for (const text of [ada, 'pTHR8VNs', 'pTHR8VNsBxY', ada.slice(12)])
      assert.ok(ada.startsWith(namedBeginning(text)!), text);
    for (const text of [bob, 'tHR8VNsB', `${ada.slice(12)}A`]) assert.ok(!ada.startsWith(namedBeginning(text)!), text);
    for (const text of ['pTHR8VN', '', 'did:svc:zzz', 'pTHR8VN%', 'pTHR8VN~'])
      assert.equal(namedBeginning(text), undefined, text);
  });

  it('follow the id', () => {
    assert.deepEqual(cardIdParts('lst-1'), { id: 'lst-1', home: undefined });
    assert.deepEqual(cardIdParts(cardId('lst-1', ada)), { id: 'lst-1', home: ada });
    assert.deepEqual(cardIdParts('lst-1~'), { id: 'lst-1', home: '' });
  });
});
