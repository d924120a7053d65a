/** Permitted URLs and addresses of deliveries (docs/webhooks.md, Addresses). */
import { expect } from 'chai';
import { targetOf, violationOfAddress, violationOfUrl } from '../../src/projections/webhooks/target.js';

const anywhere = { encrypted: false, networks: [] };
const notGlobal: { readonly [sort: string]: readonly string[] } = {
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', 'fc00::1', 'fd12:3456::1'],
  'link-local, where clouds keep their metadata': ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254'],
  'of a carrier': ['100.64.0.1', '100.127.255.255'],
  'mapped from IPv4': ['::ffff:127.0.0.1', '::ffff:169.254.169.254', '::ffff:8.8.8.8'],
  'compatible with IPv4': ['::127.0.0.1', '::7f00:1'],
  'of a translator': ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
  'of a tunnel': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001::1', '192.88.99.1'],
  'of a group': ['224.0.0.1', '239.255.255.255', 'ff02::1', '255.255.255.255'],
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  'for documents, tests and later': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '198.18.0.1',
    '240.0.0.1',
    '2001:db8::1',
  ],
  'of sites, as they once were': ['fec0::1'],
};

describe('Addresses of receivers', () => {
  for (const [sort, addresses] of Object.entries(notGlobal)) {
    it(`are not ${sort}`, () => {
      for (const address of addresses)
        expect(violationOfAddress(address, []), address).to.include('not a global address');
    });
  }

  it('are all others', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700::1111', '2a00:1450::1']) {
      expect(violationOfAddress(address, []), address).to.equal(undefined);
    }
  });

  it('are the configured ones, and no others', () => {
    const networks = ['10.1.0.0/16', '127.0.0.1', 'fd00::/8'];
    for (const address of ['10.1.2.3', '127.0.0.1', 'fd00::1'])
      expect(violationOfAddress(address, networks)).to.equal(undefined);
    for (const address of ['10.2.0.1', '127.0.0.2', 'fc00::1', '::ffff:127.0.0.1', '::ffff:10.1.2.3']) {
      expect(violationOfAddress(address, networks), address).to.be.a('string');
    }
  });

  it('every spelling of loopback is found in a URL', () => {
    for (const host of ['127.1', '0x7f.1', '2130706433', '0177.0.0.1', '[::1]', '[::ffff:7f00:1]', '127.0.0.1.']) {
      expect(violationOfUrl(`http://${host}/`, anywhere), host).to.include('not a global address');
    }
  });

  it('a name is refused when any of its addresses is, and when it has none', async () => {
    const { signal } = new AbortController();
    const target = (addresses: readonly string[]) =>
      targetOf(new URL('http://hooks.example.org/'), anywhere, { resolve: async () => addresses, signal });
    expect(await target(['8.8.8.8', '1.1.1.1'])).to.deep.equal({ address: '8.8.8.8', name: 'hooks.example.org' });
    expect(await target(['2606:4700::1111', '8.8.8.8'])).to.have.property('address', '8.8.8.8');
    expect(await target(['8.8.8.8', '10.0.0.1'])).to.include('10.0.0.1 is not a global address');
    expect(await target([])).to.include('could not be resolved');
    for (const name of ['localhost', 'a.localhost']) {
      const found = await targetOf(new URL(`http://${name}/`), anywhere, { resolve: async () => ['8.8.8.8'], signal });
      expect(found, name).to.include('127.0.0.1 is not a global address');
    }
  });
});

describe('URLs of receivers', () => {
  const refused: readonly (readonly [url: string, says: string])[] = [
    ['', 'absolute'],
    ['/hook', 'absolute'],
    ['ftp://example.org/', 'https://'],
    ['file:///etc/passwd', 'https://'],
    ['javascript:alert(1)', 'https://'],
    ['http:example.org', 'host'],
    ['http:///example.org', 'host'],
    ['http://user@example.org/', 'user'],
    ['http://user:password@example.org/', 'user'],
    ['http://@example.org/', 'user'],
    ['http://example.org/#there', 'fragment'],
    ['http://example.org/#', 'fragment'],
    [' http://example.org/', 'visible'],
    ['http://exam\nple.org/', 'visible'],
    ['http://example.org\\@evil.example', 'visible'],
    ['http://bücher.example/', 'visible'],
    [`http://example.org/${'x'.repeat(2_048)}`, '2048'],
    ['http://10.0.0.1/', '10.0.0.1'],
    ['http://localhost:9528/', 'localhost'],
    ['http://a.localhost/', 'localhost'],
  ];
  for (const [url, says] of refused) {
    it(`are not ${JSON.stringify(url.slice(0, 60))}`, () => {
      expect(violationOfUrl(url, anywhere)).to.include(says);
    });
  }

  it('are https on mainnet', () => {
    expect(violationOfUrl('http://example.org/', { ...anywhere, encrypted: true })).to.include('mainnet');
    expect(violationOfUrl('https://example.org/', { ...anywhere, encrypted: true })).to.equal(undefined);
  });

  it('may have a port, a path and a query', () => {
    expect(violationOfUrl('https://hooks.example.org:8443/a/b?token=x%20y', anywhere)).to.equal(undefined);
  });
});
