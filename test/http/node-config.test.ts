/** What strangers read of a node's configuration. */
import { expect } from 'chai';
import { type Config, loadConfig } from '../../src/config.js';
import { nodeConfigView } from '../../src/http/node-config.js';

const viewOf = (variables: { readonly [name: string]: string }) => {
  const config = loadConfig({ ...variables });
  if (Array.isArray(config)) return expect.fail(config.join(' '));
  return nodeConfigView(config as Config);
};

describe('http: the configuration as it is shown', () => {
  it('names a database server to those who see paths, and its password to nobody', () => {
    const view = viewOf({ SVC_STORE: 'mongodb://ada:secret@db.internal:27017,db2.internal/svc?authSource=admin' });
    expect(view(true).store).to.equal('mongodb://db.internal:27017,db2.internal/svc');
    expect(view(false).store).to.equal('mongodb');
    expect(JSON.stringify([view(true), view(false)])).not.to.include('secret');
    expect(JSON.stringify(view(false))).not.to.include('internal');
  });

  it('says embedded to everybody', () => {
    const view = viewOf({});
    expect([view(true).store, view(false).store]).to.deep.equal(['embedded', 'embedded']);
  });
});
