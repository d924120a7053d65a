import { expect } from 'chai';
import { BoundedCache } from '../../src/keys/bounded-cache.js';

describe('bounded cache', () => {
  it('never holds more than its capacity', () => {
    const cache = new BoundedCache<number, number>(10);
    for (let i = 0; i < 1000; i++) {
      cache.set(i, i);
      expect(cache.size).to.be.at.most(10);
    }
  });

  it('keeps what is asked for again and again', () => {
    const cache = new BoundedCache<number, string>(10);
    cache.set(-1, 'used');
    for (let i = 0; i < 1000; i++) {
      cache.set(i, 'unused');
      expect(cache.get(-1)).to.equal('used');
      expect(cache.size).to.be.at.most(10);
    }
    expect(cache.get(1)).to.equal(undefined);
  });

  it('keeps false as a value', () => {
    const cache = new BoundedCache<string, boolean>(2);
    cache.set('no', false);
    expect(cache.get('no')).to.equal(false);
  });
});
