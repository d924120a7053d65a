import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { contracts, sources } from '../../../src/chain/artifacts/contracts.js';

const folder = 'src/chain/contracts';

describe('the artifact of the contracts', () => {
  it('was made of the sources that are here: else run npm run contracts', () => {
    for (const [name, hash] of Object.entries(sources)) {
      const file = name.startsWith('@') ? join('node_modules', name) : join(folder, name);
      expect(createHash('sha256').update(readFileSync(file)).digest('hex'), name).to.equal(hash);
    }
    const own = Object.keys(sources).filter((name) => !name.startsWith('@'));
    expect(own.sort()).to.deep.equal(
      readdirSync(folder)
        .filter((file) => file.endsWith('.sol'))
        .sort(),
    );
  });

  it('has the code of what is deployed, and none of what the vault makes', () => {
    for (const [name, { abi, bytecode }] of Object.entries(contracts)) {
      expect(abi, name).to.not.deep.equal([]);
      expect(bytecode).to.match(name === 'Settlement' ? /^$/ : /^0x[0-9a-f]{2000,}$/);
    }
  });
});
