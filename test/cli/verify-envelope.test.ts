/** `svc-node verify-envelope`, without a node. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../src/core/canonical.js';
import { sha256Hex } from '../../src/core/canonical.js';
import { complete, digestOf, signingText } from '../../src/machines/deliverable/envelope.js';
import { scratch, tidy } from '../support/scratch.js';
import { ada, signer } from '../world/people.js';
import { json, svcNode } from './support/command.js';

describe('svc-node verify-envelope', () => {
  after(tidy);

  const at = { contextId: 'ord-1', producer: ada, id: 'dlv-1', createdAt: 1_700_000_000_000 };
  const unsigned = complete({ type: 'data', contentHash: sha256Hex('rain'), size: 4 }, at) as JsonObject;
  const envelope = { ...unsigned, signature: signer('ada').sign(signingText(unsigned)) };
  const file = (name: string, text: string) => {
    const path = join(scratch(), name);
    writeFileSync(path, text);
    return path;
  };

  it('says who signed it, for what, and its digest', async () => {
    const end = await svcNode(['verify-envelope', file('envelope.json', JSON.stringify(envelope))]);
    expect(end).to.include({ code: 0, stderr: '' });
    expect(end.stdout).to.include(ada).and.include('ord-1').and.include(digestOf(envelope)).and.include('OK');
  });

  it('takes what holds one, from standard input', async () => {
    const end = await svcNode(['verify-envelope', '-', '--json'], { input: JSON.stringify({ envelope }) });
    expect(json(end)).to.deep.equal({ ok: true, envelopeDigest: digestOf(envelope) });
  });

  it('compares what was delivered', async () => {
    const path = file('envelope.json', JSON.stringify(envelope));
    expect((await svcNode(['verify-envelope', path, '--content', file('rain', 'rain')])).code).to.equal(0);
    const other = await svcNode(['verify-envelope', path, '--content', file('sun', 'sun')]);
    expect(other.code).to.equal(1);
    expect(other.stderr).to.include('has another hash');
  });

  it('refuses a changed one, and what is none', async () => {
    const changed = file('changed.json', JSON.stringify({ ...envelope, contextId: 'ord-2' }));
    expect((await svcNode(['verify-envelope', changed])).stderr).to.include('its signature does not verify');
    expect((await svcNode(['verify-envelope', file('none.json', '[]')])).stderr).to.include('holds no envelope');
    expect((await svcNode(['verify-envelope', file('text', 'hello')])).stderr).to.include('is not JSON');
  });
});
