/** A data directory with a long journal of transfers, created once a run. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from '../../../src/actors/command.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { signerOf } from '../../../src/keys/signing.js';
import { options } from './options.js';
import { accepted, Founder, scratch } from './people.js';
import { say } from './report.js';

const holders = 1_000;
const atOnce = 512;

/** @param number of transfers, each with an Idempotency-Key */
export async function fillWithTransfers(number: number): Promise<string> {
  const dir = options.journalDir ?? (await scratch());
  const note = join(dir, `bench-transfers-${number}`);
  if (existsSync(note)) return dir;
  const from = realEnvironment.monotonic();
  const founder = await Founder.open(dir);
  const people = await founder.holders(holders, 1_000_000);
  const signers = people.map(({ seed = '' }) => signerOf(Buffer.from(seed, 'hex')));
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < number; index = next++) {
      const signer = signers[index % holders]!;
      const { did: to } = signers[(index + 1 + Math.floor(index / holders)) % holders]!;
      if (to === signer.did) continue;
      const command: Command = {
        ...{ kind: 'account', id: signer.did, action: 'transfer', input: { to, amount: 1 } },
        ...{ signer: signer.did, unlock: () => signer },
        idempotency: { principal: signer.did, key: `bench-${index}`, fingerprint: '0'.repeat(64), status: 200 },
      };
      accepted(await founder.node.actors.execute(command));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await founder.close();
  writeFileSync(note, '');
  say(
    `\n${number} transfers made through the actors in ${((realEnvironment.monotonic() - from) / 1_000).toFixed(0)} s`,
  );
  return dir;
}
