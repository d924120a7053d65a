/** Checks the store: its file or server, and that a node can continue its journal. */
import { bounds } from '../../core/bounds.js';
import { realEnvironment } from '../../core/environment.js';
import { balanceViolation } from '../../machines/kernel/ledger.js';
import type { Config } from '../../node/config/config.js';
import { type OpenedJournal, openJournal } from '../../node/store-choice.js';
import type { NumberedEntry } from '../../store/entry.js';
import { followsFrom } from '../../store/journal-end.js';
import { beginningOf, violationInText, violationOfPlace } from '../../verify/entry-text.js';
import { whyClosed } from '../../verify/move/mark.js';
import { count, durationText } from '../output.js';
import type { Check, DoctorContext } from './check.js';
import type { Findings } from './finding.js';

/** Number of newest entries to check; an audit checks all of them. */
const lookedAt = 100;
const restoring =
  'svc-node audit names the first bad entry or row; svc-node rebuild repairs rows; entries need an earlier backup';

const database: Check<DoctorContext> = {
  about: 'database',
  async look({ config, running }, findings) {
    const isThere =
      config.store === 'embedded'
        ? await lookAtFile(config, findings, running === undefined)
        : await lookAtServer(config, findings);
    if (!isThere) return;
    const { journal } = await openJournal(config);
    try {
      await lookInside(journal, config, findings);
    } finally {
      await journal.close();
    }
  },
};

async function lookAtFile({ dataDir }: Config, findings: Findings, isStopped: boolean): Promise<boolean> {
  const { examineDatabase } = await import('../../store/sqlite/examination.js');
  const found = examineDatabase(dataDir);
  if (!found || found.version === 0) {
    findings.ok('there is none yet: the first start creates it');
    return false;
  }
  const { file, version, newest, flaws, ending, unnamed } = found;
  for (const flaw of flaws) {
    findings.problem(
      `${file} is damaged: ${flaw}`,
      'stop the node, and restore a backup with svc-node restore; svc-node rebuild helps only where the journal itself can still be read; look at the disk as well',
    );
  }
  if (flaws.length > 0) return false;
  findings.ok(`${file} is sound, schema version ${version}`);
  if (ending !== undefined) findings.problem(`its journal is damaged: ${ending}`, restoring);
  if (isStopped && unnamed[0] !== undefined) {
    findings.warning(
      `the database does not name ${count(unnamed.length)} of its segments’ files, such as ${unnamed[0]}`,
      'a restore of an earlier backup leaves such files: move them away before the next start',
    );
  }
  if (version === newest) return true;
  findings.warning(
    `its schema needs an upgrade to version ${newest}`,
    'make a backup, then start the node, which upgrades it',
  );
  return false;
}

async function lookAtServer({ store, network }: Config, findings: Findings): Promise<boolean> {
  const { examineServer } = await import('../../store/mongo/examination.js');
  const { place, durability, aheadMs, stranger, ending } = await examineServer(store, network);
  findings.ok(`${place} meets the requirements of the store: a write is ${durability}`);
  if (aheadMs !== undefined && Math.abs(aheadMs) > bounds.clockSkewMs) {
    findings.problem(
      `its clock is ${durationText(Math.abs(aheadMs) / 1_000)} ${aheadMs > 0 ? 'ahead of' : 'behind'} this one`,
      'set both clocks (NTP)',
    );
  }
  if (ending !== undefined) findings.problem(`its journal is damaged: ${ending}`, restoring);
  if (stranger === undefined) return true;
  if (/no journal/.test(stranger)) findings.ok('it contains no journal yet: the first start creates it');
  else findings.problem(stranger, 'name another database in SVC_STORE');
  return false;
}

async function lookInside(journal: OpenedJournal, { network, store }: Config, findings: Findings): Promise<void> {
  const closed = await whyClosed(journal);
  if (closed !== undefined) findings.problem(closed.replace(/\.$/, ''), 'follow this message');
  const owner = (await journal.getLocal('meta', 'network'))?.value.network;
  if (owner !== undefined && owner !== network) {
    findings.problem(`it belongs to ${String(owner)}, not to ${network}`, `use --network ${String(owner)}`);
  }
  const { seq } = await journal.head();
  const newest = await journal.entries({ after: Math.max(0, seq - lookedAt), limit: lookedAt });
  const beginning = await beginningOf(journal);
  const flaw =
    (typeof beginning === 'string'
      ? `entry 1 was changed: ${beginning}`
      : violationOfEntries(newest, beginning?.home)) ??
    (store === 'embedded' ? balanceViolation(await journal.totals()) : undefined);
  if (flaw) {
    findings.problem(flaw, restoring);
  } else findings.ok(`${count(seq)} entries; the newest are consistent (svc-node audit checks all of them)`);
  const aheadMs = (newest.at(-1)?.core.time ?? 0) - realEnvironment.now();
  if (aheadMs > bounds.clockSkewMs) {
    findings.problem(
      `its newest entry is ${durationText(aheadMs / 1_000)} ahead of this machine’s clock`,
      'set the clock; a node that starts now writes nothing until then. If the clock is right: svc-node clock correct',
    );
  }
}

export const databaseChecks: readonly Check<DoctorContext>[] = [database];

/**
 * The first invalid entry, in a sentence.
 * @param home home of the journal; undefined if it is empty
 */
function violationOfEntries(newest: readonly NumberedEntry[], home: string | undefined): string | undefined {
  for (const [index, entry] of newest.entries()) {
    if (!followsFrom(newest[index - 1], entry)) return `entry ${entry.seq} does not follow from the one before it`;
    const flaw = home !== undefined && violationAlone(entry, home);
    if (flaw) return `entry ${entry.seq} was changed: ${flaw}`;
  }
  return undefined;
}

function violationAlone(entry: NumberedEntry, home: string): string | undefined {
  try {
    return violationInText(entry) ?? violationOfPlace(entry, home);
  } catch {
    return 'it can no longer be read';
  }
}
