/** The heap is kept small while clients leave much unread, and only then. */
import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import sinon from 'sinon';
import { Thrift } from '../../src/http/server/connections/bytes-in-transit.js';

describe('http: memory while replies are not read', () => {
  it('runs from many bytes on until few are left, and reports each once', () => {
    const setGrowth = sinon.spy();
    const thrift = new Thrift({ from: 100, until: 10 }, setGrowth);
    for (const waiting of [0, 100, 101, 300, 50, 11, 10, 0, 90]) thrift.look(waiting);
    expect(setGrowth.args).to.deep.equal([[30], [0]]);
  });

  it('is a flag that this V8 has: of another it would only say on standard error that it knows none', () => {
    const script = new URL('../../src/http/server/connections/bytes-in-transit.js', import.meta.url).href;
    const code = `const { Thrift } = await import('${script}'); const thrift = new Thrift({ from: 100, until: 10 });
      for (const waiting of [200, 0]) thrift.look(waiting);`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
    expect([status, stderr]).to.deep.equal([0, '']);
  });
});
