import { expect } from 'chai';
import { shownUrl } from '../../src/core/url-text.js';
import { Database } from '../../src/store/mongo/database.js';
import { databaseOf, withoutCredentials } from '../../src/store/mongo/url.js';
import { StoreRefused } from '../../src/store/store.js';

describe('the URL of a MongoDB store', () => {
  it('names the database, always with the network behind it', () => {
    expect(databaseOf('mongodb://h:1', 'devnet')).to.equal('svc-devnet');
    expect(databaseOf('mongodb://h:1/', 'testnet')).to.equal('svc-testnet');
    expect(databaseOf('mongodb://u:p@h:1,i:2/?replicaSet=r', 'mainnet')).to.equal('svc-mainnet');
    expect(databaseOf('mongodb+srv://u:p@h.example/ledger?w=1', 'mainnet')).to.equal('ledger-mainnet');
  });

  it('is spoken of without user, password and options', () => {
    expect(shownUrl('mongodb://ann:s3cret@h:1,i:2/db?authSource=admin')).to.equal('mongodb://h:1,i:2/db');
    expect(shownUrl('mongodb+srv://ann:s%40cret@h.example')).to.equal('mongodb+srv://h.example');
    expect(shownUrl('mongodb://h:1/db')).to.equal('mongodb://h:1/db');
  });

  it('leaves no credential in a text, however it is spelled there', () => {
    const url = 'mongodb://ann:s%40cret@h:1/db';
    const text = 'ann failed with s@cret, s%40cret, at mongodb://ann:s%40cret@h:1/db';
    expect(withoutCredentials(text, url)).to.equal('*** failed with ***, ***, at mongodb://***@h:1/db');
    expect(withoutCredentials('nothing here', 'mongodb://h:1')).to.equal('nothing here');
  });

  it('is refused with a reason and without its password where the driver does not understand it', () => {
    for (const url of [
      'mongodb://ann:s3cret@h:1/db?nonsense=s3cret',
      'mongodb://ann:s3cret@',
      'mongodb://ann:s3cret@h:x',
    ]) {
      expect(() => new Database(url, 'devnet'))
        .to.throw(StoreRefused, /SVC_STORE is no MongoDB URL/)
        .with.property('message')
        .that.does.not.match(/s3cret|ann/);
    }
  });

  it('may set pool and waits, and not the write concern', () => {
    const database = new Database('mongodb://h:1/db?maxPoolSize=7&w=0', 'devnet');
    const { client } = database.db();
    expect(client.options.maxPoolSize).to.equal(7);
    expect(client.options.serverSelectionTimeoutMS).to.equal(3_000);
    expect(database.name).to.equal('db-devnet');
    const { writeConcern } = new Database('mongodb://h:1/db?w=0', 'devnet').db();
    expect(writeConcern).to.include({ w: 'majority', journal: true });
  });
});
