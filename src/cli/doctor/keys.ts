/** Checks the keys: readable files, the node's own among them, and the passphrase that unlocks it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Did } from '../../core/codecs/did.js';
import { realEnvironment } from '../../core/environment.js';
import { isRefusal } from '../../core/refusal.js';
import type { Config } from '../../node/config/config.js';
import { readNodeDid } from '../../node/identity.js';
import { count } from '../output.js';
import type { Check, DoctorContext } from './check.js';
import type { Findings } from './finding.js';

const folderOf = ({ dataDir }: Config): string => join(dataDir, 'keystore');

const keystore: Check<DoctorContext> = {
  about: 'keystore',
  async look({ config, running }, findings) {
    const dir = folderOf(config);
    if (!existsSync(dir)) return withoutKeys(config, findings);
    const bad: string[] = [];
    const { Keystore } = await import('../../keys/keystore.js');
    const keys = await Keystore.open({
      dir,
      world: realEnvironment,
      network: config.network,
      onBadFile: (file, reason) => bad.push(`${file}: ${reason}`),
    });
    try {
      const names = await keys.list();
      for (const each of bad) {
        findings.problem(`a key file cannot be used: ${each}`, 'restore it from a backup (svc-node identity import)');
      }
      for (const name of readdirSync(dir)) {
        const mode = statSync(join(dir, name)).mode & 0o777;
        if ((mode & 0o077) === 0) continue;
        findings.problem(
          `others may read ${join(dir, name)} (mode ${mode.toString(8)})`,
          `chmod 600 ${join(dir, name)}`,
        );
      }
      findings.ok(`${count(names.length)} keys in ${dir}`);
      const did = readNodeDid(config);
      if (did !== undefined) await ownKey(keys, did as Did, { config, running }, findings);
    } finally {
      keys.close();
    }
  },
};

function withoutKeys(config: Config, findings: Findings): void {
  const did = readNodeDid(config);
  const isDevnet = config.network === 'devnet';
  if (did !== undefined) lost(config, did, findings);
  else if (isDevnet || config.passphrase !== undefined)
    findings.ok('no keys yet: the first start creates the node’s own');
  else needsPassphrase(findings);
}

const lost = (config: Config, did: string, findings: Findings): void =>
  findings.problem(
    `the key of the node itself (${did}) is not in ${folderOf(config)}`,
    'put its key file back from a backup, or go on as another node: svc-node start --new-identity',
  );

const needsPassphrase = (findings: Findings): void =>
  findings.problem(
    'there is no passphrase for the node’s key',
    'set SVC_PASSPHRASE_FILE to a file whose first line is the passphrase, or SVC_PASSPHRASE',
  );

type OpenedKeystore = Awaited<ReturnType<typeof import('../../keys/keystore.js').Keystore.open>>;

async function ownKey(
  keys: OpenedKeystore,
  did: Did,
  { config, running }: DoctorContext,
  findings: Findings,
): Promise<void> {
  if (!(await keys.has(did))) return lost(config, did, findings);
  const generated = join(config.dataDir, 'passphrase');
  const written = existsSync(generated) ? readFileSync(generated, 'utf8').trim() : undefined;
  const passphrase = config.passphrase ?? written;
  if (passphrase === undefined) {
    // A running node got its passphrase from its own environment.
    return running ? findings.ok('the node holds its own key') : needsPassphrase(findings);
  }
  const unlocks = async (tried: string) => !isRefusal(await keys.unlock(did, tried, 'doctor'));
  if (await unlocks(passphrase)) return findings.ok(`the passphrase unlocks the node’s key, ${did}`);
  const says = `the passphrase does not unlock the node’s key, ${did}`;
  const other = passphrase === written ? undefined : written;
  const mend =
    other !== undefined && (await unlocks(other))
      ? `the one in ${generated} does: unset SVC_PASSPHRASE and SVC_PASSPHRASE_FILE for the node`
      : 'set SVC_PASSPHRASE or SVC_PASSPHRASE_FILE to the passphrase that the key was created with, or that identity passwd has set';
  if (!running) return findings.problem(says, mend);
  findings.warning(
    `${says}; the running node has the key in memory, but a node in this environment would not start`,
    mend,
  );
}

export const keyChecks: readonly Check<DoctorContext>[] = [keystore];
