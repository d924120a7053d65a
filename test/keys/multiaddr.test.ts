import { expect } from 'chai';
import {
  formatMultiaddr,
  parseListenAddress,
  parseMultiaddr,
  parsePeerAddress,
} from '../../src/core/codecs/multiaddr.js';

const peerId = '12D3KooWBtg3aaRMjxwedh83aGiUkwSxDwUZkzuJcfaqUmo7R3pq';
const written = (text: string): string => {
  const address = parseMultiaddr(text);
  return typeof address === 'string' ? `refused: ${address}` : formatMultiaddr(address);
};

describe('Multiaddr', () => {
  it('is read in parts', () => {
    expect(parseMultiaddr(`/dns4/Node.Example.org/tcp/9529/p2p/${peerId}`)).to.deep.equal({
      family: 'dns4',
      host: 'node.example.org',
      port: 9529,
      peerId,
    });
    expect(parseMultiaddr('/ip4/0.0.0.0/tcp/0')).to.deep.equal({ family: 'ip4', host: '0.0.0.0', port: 0 });
  });

  it('is written in its normal form', () => {
    for (const [text, normal] of [
      ['/ip4/192.0.2.1/tcp/9529', '/ip4/192.0.2.1/tcp/9529'],
      ['/ip6/2001:0DB8:0:0:0::1/tcp/1', '/ip6/2001:db8::1/tcp/1'],
      ['/ip6/::/tcp/65535', '/ip6/::/tcp/65535'],
      ['/ip6/1:0:0:2:0:0:0:3/tcp/1', '/ip6/1:0:0:2::3/tcp/1'],
      ['/ip6/fe80:0:0:0:0:0:0:1/tcp/1', '/ip6/fe80::1/tcp/1'],
      ['/dns6/A.B-c.XN--P1AI/tcp/1', '/dns6/a.b-c.xn--p1ai/tcp/1'],
      ['/dns4/localhost/tcp/1', '/dns4/localhost/tcp/1'],
      [`/dns4/${'a'.repeat(63)}.b/tcp/1`, `/dns4/${'a'.repeat(63)}.b/tcp/1`],
      [`/ip4/1.2.3.4/tcp/1/p2p/${peerId}`, `/ip4/1.2.3.4/tcp/1/p2p/${peerId}`],
    ] as const) {
      expect(written(text), text).to.equal(normal);
      expect(written(normal), normal).to.equal(normal);
    }
  });

  it('is refused by the name of what is not supported', () => {
    for (const [text, named] of [
      ['/ip4/1.2.3.4/udp/1/quic-v1', '/udp'],
      ['/dns/a/tcp/1', '/dns'],
      ['/dnsaddr/a', '/dnsaddr'],
      ['/ip4/1.2.3.4/tcp/1/ws', '/ws'],
      ['/ip4/1.2.3.4/tcp/1/tls/ws', '/tls'],
      [`/ip4/1.2.3.4/tcp/1/p2p/${peerId}/p2p-circuit`, '/p2p-circuit'],
      [`/ip4/1.2.3.4/tcp/1/ipfs/${peerId}`, '/ipfs'],
      ['/ip6zone/eth0/ip6/fe80::1/tcp/1', '/ip6zone'],
      ['/unix/tmp', '/unix'],
      ['/constructor/x/tcp/1', '/constructor'],
      ['/ip4/1.2.3.4/tcp/1/', '/,'],
    ] as const) {
      const refused = parseMultiaddr(text);
      expect(refused, text).to.be.a('string').and.contain(`has ${named}`).and.contain('not supported');
    }
  });

  it('is refused with a wrong host, port or peer id', () => {
    const wrong = [
      ...['', 'x', ' /ip4/1.2.3.4/tcp/1', '0.0.0.0:1', '/', '//', '/ip4', '/ip4/', '/ip4/1.2.3.4', '/ip4/1.2.3.4/tcp'],
      ...['1.2.3', '01.2.3.4', '1.2.3.256', '0x1.2.3.4', '1.2.3.4 ', '::1', 'a'].map((host) => `/ip4/${host}/tcp/1`),
      ...['1.2.3.4', '::1%eth0', ':::', '1::2::3', '[::1]', '::ffff:1.2.3.4', '::ffff:102:304'].map(
        (h) => `/ip6/${h}/tcp/1`,
      ),
      ...['', '.', 'a.', '.a', 'a..b', '-a', 'a-', 'a_b', 'a b', 'é', '1.2.3.4', '1', `${'a'.repeat(64)}.b`].map(
        (host) => `/dns4/${host}/tcp/1`,
      ),
      `/dns4/${'abc.'.repeat(63)}abc/tcp/1`,
      ...['', '-1', '65536', '01', '1.0', '0x1', '1 ', '+1', '999999'].map((port) => `/ip4/1.2.3.4/tcp/${port}`),
      ...['', 'x', peerId.slice(1), `${peerId} `].map((id) => `/ip4/1.2.3.4/tcp/1/p2p/${id}`),
      `/ip4/1.2.3.4/tcp/1/p2p/${peerId}/`,
      `/dns4/${'a/'.repeat(100_000)}`,
    ];
    expect(wrong.filter((text) => typeof parseMultiaddr(text) !== 'string')).to.deep.equal([]);
  });

  it('a name may have 253 characters', () => {
    const name = `${'abc.'.repeat(62)}abcde`;
    expect(name).to.have.length(253);
    expect(written(`/dns4/${name}/tcp/1`)).to.equal(`/dns4/${name}/tcp/1`);
  });

  it('to listen on is an IP address without a peer id, with any port', () => {
    expect(parseListenAddress('/ip4/0.0.0.0/tcp/0')).to.include({ port: 0 });
    expect(parseListenAddress(`/ip4/0.0.0.0/tcp/1/p2p/${peerId}`)).to.contain('without /p2p');
    expect(parseListenAddress('/dns4/a/tcp/1')).to.contain('IP address');
  });

  it('of a peer has its peer id and a port', () => {
    expect(parsePeerAddress(`/dns4/a/tcp/1/p2p/${peerId}`)).to.include({ peerId });
    expect(parsePeerAddress('/dns4/a/tcp/1')).to.contain('/p2p');
    expect(parsePeerAddress(`/dns4/a/tcp/0/p2p/${peerId}`)).to.contain('port');
  });
});
