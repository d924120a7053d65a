/** The public part of a node's configuration. */
import { expect } from 'chai';
import type { Caller } from '../../src/http/access/caller.js';
import { nodeConfigView } from '../../src/http/render/node-view.js';
import { nodeRoutes } from '../../src/http/routes/node.js';
import type { Call } from '../../src/http/server/route.js';
import { type Config, loadConfig } from '../../src/node/config/config.js';

const viewOf = (variables: { readonly [name: string]: string }) => {
  const config = loadConfig({ ...variables });
  if (Array.isArray(config)) return expect.fail(config.join(' '));
  return nodeConfigView(config as Config);
};

describe('http: the configuration as it is shown', () => {
  it('names a database server to those who see paths, and its password to no one', () => {
    const view = viewOf({ SVC_STORE: 'mongodb://ada:secret@db.internal:27017,db2.internal/svc?authSource=admin' });
    expect(view(true).store).to.equal('mongodb://db.internal:27017,db2.internal/svc');
    expect(view(false).store).to.equal('mongodb');
    expect(JSON.stringify([view(true), view(false)])).not.to.include('secret');
    expect(JSON.stringify(view(false))).not.to.include('internal');
  });

  it('names the chain’s RPC to admin keys alone', async () => {
    const rpcUrl = 'http://127.0.0.1:8545';
    const facts = {
      chain: () => ({ kind: 'rpc', rpcUrl }),
      height: () => 0,
      home: () => 'did:svc:home',
      uptimeSeconds: () => 0,
      config: () => ({}),
    };
    const status = nodeRoutes(facts as never).find(({ name }) => name === 'getNode')!;
    const toldTo = async (caller: Partial<Caller>) =>
      JSON.stringify(await status.handle({ caller } as Call)).includes(rpcUrl);
    expect(await toldTo({ keyId: 'key-1', scope: 'admin' })).to.equal(true);
    for (const caller of [
      {},
      { loopback: true, local: true, scope: 'write' } as const,
      { keyId: 'key-1', local: true, scope: 'write' } as const,
      { keyId: 'key-1', scope: 'read' } as const,
    ]) {
      expect(await toldTo(caller), JSON.stringify(caller)).to.equal(false);
    }
  });

  it('names variables with their origins where the configuration is asked for, to those who see paths', () => {
    const view = viewOf({ SVC_MIN_FEE: '2', SVC_PASSPHRASE: 'correct horse battery' });
    const variables = (...given: Parameters<typeof view>) => view(...given).variables as { name: string }[] | undefined;
    expect([variables(true), variables(false), variables(false, true)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
    const shown = variables(true, true)!;
    expect(shown.find(({ name }) => name === 'SVC_MIN_FEE')).to.deep.include({ value: '2', from: 'environment' });
    expect(JSON.stringify(shown)).not.to.include('horse');
  });

  it('says embedded to all callers', () => {
    const view = viewOf({});
    expect([view(true).store, view(false).store]).to.deep.equal(['embedded', 'embedded']);
  });
});
