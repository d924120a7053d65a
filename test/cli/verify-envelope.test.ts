/** `svc-node verify-envelope`, without a node. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { sha256Hex } from '../../src/core/canonical.js';
import { wholeDigestOf } from '../../src/machines/deliverable/envelope.js';
import { scratch, tidy } from '../support/scratch.js';
import { envelopeOf } from '../world/envelope.js';
import { ada, didOf } from '../world/people.js';
import { json, svcNode } from './support/command.js';

describe('svc-node verify-envelope', () => {
  after(tidy);

  const given = { type: 'data', contentHash: sha256Hex('rain'), size: 4 };
  const envelope = envelopeOf('ada', 'ord-1', { given });
  const file = (name: string, text: string) => {
    const path = join(scratch(), name);
    writeFileSync(path, text);
    return path;
  };

  const verify = (path: string, ...more: string[]) =>
    svcNode(['verify-envelope', path, '--home', didOf('node'), ...more]);

  it('says who signed it, for what, and its digest', async () => {
    const end = await verify(file('envelope.json', JSON.stringify(envelope)));
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.include(ada).and.include('ord-1').and.include(wholeDigestOf(envelope)).and.include('OK');
  });

  it('takes what holds one, from standard input', async () => {
    const end = await svcNode(['verify-envelope', '-', '--home', didOf('node'), '--json'], {
      input: JSON.stringify({ envelope }),
    });
    expect(json(end)).to.deep.equal({ ok: true, envelopeDigest: wholeDigestOf(envelope) });
  });

  it('compares what was delivered', async () => {
    const path = file('envelope.json', JSON.stringify(envelope));
    expect((await verify(path, '--content', file('rain', 'rain'))).code).to.equal(0);
    const other = await verify(path, '--content', file('sun', 'sun'));
    expect(other.code).to.equal(1);
    expect(other.stderr).to.include('has another hash');
  });

  it('checks the signature of the digest where texts were erased', async () => {
    const shown = {
      ...envelopeOf('ada', 'ord-1', { given: { ...given, name: 'rain.csv' } }),
      name: null,
      erased: ['name'],
    };
    const end = await verify(file('erased.json', JSON.stringify(shown)));
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.match(/erased +name/);
    const changed = await verify(file('changed.json', JSON.stringify({ ...shown, digest: sha256Hex('other') })));
    expect(changed.stderr).to.include('its signature does not verify');
  });

  it('refuses a changed one, and what is none', async () => {
    const changed = file('changed.json', JSON.stringify({ ...envelope, contextId: 'ord-2' }));
    expect((await verify(changed)).stderr).to.include('its digest is not that of its members');
    const elsewhere = await svcNode([
      'verify-envelope',
      file('envelope.json', JSON.stringify(envelope)),
      '--home',
      ada,
    ]);
    expect(elsewhere.stderr).to.include('its signature does not verify');
    expect((await verify(file('none.json', '[]'))).stderr).to.include('holds no envelope');
    expect((await verify(file('text', 'hello'))).stderr).to.include('is not JSON');
  });
});
