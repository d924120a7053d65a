import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { signerOf } from '../../../src/keys/signing.js';
import { certificateOf, didOfCertificate, pemOf, withPrivateKeyPem } from '../../../src/peers/transport/certificate.js';
import { bytes, rfc8032 } from '../../keys/fixtures.js';
import { scratch, tidy } from '../../support/scratch.js';
import { until } from '../../support/until.js';
import { anywhere, type Pair, pairOf, signerNamed, transportOf } from './pair.js';
import { closing, credentialsOf, rawTls } from './raw-client.js';

/** SHA-256 of the certificates of the keys of RFC 8032. */
const fingerprints = [
  '2571268264c60f51e9124897711543056315452daec819fa255883ef0ff60ce1',
  '644e0d1a0d958414d8e50df7565bf4f1c6146ffbfea43c498b71695edd73fe1f',
  '92022b4be9f63f865428bbc4f31d945531f57bc3375e791117a29d855a186a00',
];

const openssl = (() => {
  try {
    return execFileSync('openssl', ['version'], { encoding: 'utf8' });
  } catch {
    return undefined;
  }
})();

/** A certificate whose signed content was changed, signed again with the key. */
function altered(signer: ReturnType<typeof signerNamed>, change: (body: Buffer) => void): Buffer {
  const certificate = Buffer.from(certificateOf(signer));
  const body = certificate.subarray(4, -74);
  change(body);
  certificate.set(Buffer.from(signer.sign(body), 'base64url'), certificate.length - 64);
  return certificate;
}
const serialOffset = 4 + 5 + 2;

describe('Certificate of a node', () => {
  after(tidy);

  for (const [n, { seed, did }] of rfc8032.entries()) {
    it(`of ${did} is the same to the byte`, () => {
      const certificate = certificateOf(signerOf(bytes(seed)));
      expect(createHash('sha256').update(certificate).digest('hex')).to.equal(fingerprints[n]);
      expect(didOfCertificate(new X509Certificate(certificate))).to.equal(did);
    });
  }

  it('holds for OpenSSL, strictly, as server and as client', function () {
    if (openssl === undefined) return this.skip();
    const signer = signerNamed('ada');
    const file = join(scratch(), 'certificate.pem');
    writeFileSync(file, pemOf(certificateOf(signer)));
    for (const purpose of ['sslserver', 'sslclient']) {
      const options = ['-x509_strict', '-check_ss_sig', '-purpose', purpose];
      expect(execFileSync('openssl', ['verify', ...options, '-CAfile', file, file], { encoding: 'utf8' })).to.match(
        /: OK/,
      );
    }
    const text = execFileSync('openssl', ['x509', '-in', file, '-noout', '-text'], { encoding: 'utf8' });
    expect(text)
      .to.match(/Version: 3/)
      .and.match(/Subject: CN ?= ?12D3KooW/)
      .and.match(/Not After : Dec 31 23:59:59 9999/);
    expect(text).to.contain('ED25519 Public-Key').and.contain('CA:FALSE');
  });

  it('proves nothing with any bit changed', () => {
    const certificate = certificateOf(signerNamed('ada'));
    const believed: number[] = [];
    let parsed = 0;
    for (let at = 0; at < certificate.length * 8; at++) {
      const changed = Buffer.from(certificate);
      changed[at >> 3]! ^= 1 << (at & 7);
      let x509: X509Certificate;
      try {
        x509 = new X509Certificate(changed);
      } catch {
        continue;
      }
      parsed++;
      if (didOfCertificate(x509) !== undefined) believed.push(at);
    }
    expect(believed).to.deep.equal([]);
    expect(parsed).to.be.above(1_000);
  });

  it('of another form proves nothing, though the key has signed it', () => {
    const signer = signerNamed('ada');
    expect(didOfCertificate(new X509Certificate(altered(signer, () => {})))).to.equal(signer.did);
    const other = new X509Certificate(altered(signer, (body) => body.fill(2, serialOffset, serialOffset + 1)));
    expect(other.serialNumber).to.equal('02');
    expect(other.verify(other.publicKey)).to.equal(true);
    expect(didOfCertificate(other)).to.equal(undefined);
  });

  it('of another type of key proves nothing', function () {
    if (openssl === undefined) return this.skip();
    const folder = scratch();
    for (const [type, ...options] of [
      ['rsa:2048'],
      ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'],
      ['ed25519'],
    ] as const) {
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
      const asked = [
        'req',
        '-x509',
        '-newkey',
        type,
        ...options,
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-subj',
        '/CN=x',
      ];
      execFileSync('openssl', asked, { stdio: 'ignore' });
      const pem = execFileSync('openssl', ['x509', '-in', cert], { encoding: 'utf8' });
      expect(didOfCertificate(new X509Certificate(pem)), type).to.equal(undefined);
    }
  });

  it('takes a private key that is erased after its use', () => {
    let kept: Buffer | undefined;
    const text = withPrivateKeyPem(signerOf(bytes(rfc8032[0].seed)), (pem) => {
      kept = pem;
      return pem.toString();
    });
    expect(text).to.match(/^-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIE[\w+/]{44}\n-----END PRIVATE KEY-----\n$/);
    expect(kept!.every((byte) => byte === 0)).to.equal(true);
  });
});

describe('Handshake between peers', () => {
  let pair: Pair;
  const open = async (options?: Parameters<typeof pairOf>[1]): Promise<Pair> => {
    pair = await pairOf((_request, reply) => reply.send(200, '1').then(() => {}), options);
    return pair;
  };
  afterEach(() => pair.close());

  it('ends without a certificate', async () => {
    const { address, listener } = await open();
    const socket = rawTls(address);
    await once(socket, 'secureConnect');
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    expect(await closing(socket)).to.equal('');
    await until('it is counted', () => listener.counts().unproven === 1);
    expect(listener.connections()).to.deep.equal([]);
  });

  it('ends with a certificate of another form, and with that of another node', async () => {
    const { address, listener } = await open();
    const signer = signerNamed('mallory');
    const form = altered(signer, (body) => body.fill(2, serialOffset, serialOffset + 1));
    expect(await closing(rawTls(address, credentialsOf(signer, form)))).to.equal('');
    await until('it is counted', () => listener.counts().unproven === 1);
    expect(() => rawTls(address, credentialsOf(signer, certificateOf(signerNamed('bob'))))).to.throw(/mismatch/);
    // Only a certificate in this form counts; with it Mallory gets in.
    const honest = rawTls(address, credentialsOf(signer));
    await until('it is let in', () => listener.connections().length === 1);
    honest.destroy();
  });

  it('ends below TLS 1.3', async () => {
    const { address, listener } = await open();
    const socket = rawTls(address, { ...credentialsOf(signerNamed('bob')), maxVersion: 'TLSv1.2' });
    // The alert reaches the client's socket as an error, after which it closes.
    await until('it is counted', () => listener.counts().unproven === 1);
    expect(socket.getProtocol()).to.not.equal('TLSv1.3');
  });

  it('is not left out: no session is resumed', async () => {
    const { address, listener } = await open();
    const first = rawTls(address, credentialsOf(signerNamed('bob')));
    const sessions: Buffer[] = [];
    first.on('session', (session) => sessions.push(session));
    await once(first, 'secureConnect');
    first.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(first, 'data');
    for (const session of [...sessions, first.getSession()!]) {
      const second = rawTls(address, { session });
      await once(second, 'secureConnect');
      expect(second.isSessionReused()).to.equal(false);
      second.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      expect(await closing(second)).to.equal('');
    }
    first.destroy();
    await until('both are counted', () => listener.counts().unproven === sessions.length + 1);
  });

  it('ends for a DID that is not admitted, who hears of it', async () => {
    const { connection, listener } = await open({ admit: (did) => did === signerNamed('ada').did });
    const failure = await connection.request('GET', '/').catch((error) => error);
    expect(failure).to.include({ name: 'PeerError', kind: 'refused' });
    expect(listener.counts()).to.include({ refused: 1, accepted: 0 });
  });

  it('is refused by the client where another peer listens than the address names', async () => {
    const { address, bob, listener } = await open();
    const connection = bob.dial({ ...address, peerId: transportOf('carol').peerId });
    const failure = await connection.request('POST', '/', { body: 'secret' }).catch((error) => error);
    expect(failure).to.include({ name: 'PeerError', kind: 'wrong-peer' });
    expect(failure.message).to.contain(listener.addresses[0]!.peerId);
    await until('the server has ended it as well', () => listener.connections().length === 0);
  });

  it('fails by name where nothing, another protocol, or no such name is', async () => {
    const { address, bob, listener, ada } = await open({ bounds: { connectMs: 2_000 } });
    const kindAt = (place: object): Promise<unknown> =>
      bob
        .dial({ ...address, ...place })
        .request('GET', '/')
        .catch((error) => error.kind);
    expect(await kindAt({ family: 'dns4', host: 'localhost' })).to.include({ status: 200 });
    expect(await kindAt({ family: 'dns4', host: 'no-such-name.invalid' })).to.equal('unreachable');
    await listener.close();
    expect(await kindAt({})).to.equal('unreachable');
    const taken = await ada.listen([anywhere], { admit: () => true, handle: async () => {}, onFault: () => {} });
    const failure = await ada
      .listen([{ ...anywhere, port: taken.addresses[0]!.port }], {
        admit: () => true,
        handle: async () => {},
        onFault: () => {},
      })
      .catch((error) => error);
    expect(failure).to.include({ name: 'PeerError', kind: 'listening' });
  });
});
