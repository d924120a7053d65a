/** Checks the data directory: owner, permissions, file system, and the processes that use it. */
import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { bounds } from '../../core/bounds.js';
import { count } from '../output.js';
import type { Check, DoctorContext } from './check.js';
import type { Findings } from './finding.js';

/** Files that only their owner may read. */
const privateFiles = ['journal.db', 'segments', 'passphrase', 'keystore', 'control.sock'];

/** File systems with unreliable locks or shared memory, by the magic number of statfs. */
const networkFileSystems: { readonly [type: number]: string } = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
};

const mebibyte = 1024 * 1024;
/** Free space below which doctor warns. */
const comfortBytes = 4 * bounds.freeDiskBytes;

const directory: Check<DoctorContext> = {
  about: 'data directory',
  look({ config: { dataDir, network } }, findings) {
    if (!existsSync(dataDir)) {
      findings.ok(`${dataDir} does not exist yet: the first start creates it`);
      if (isDenied(existingParent(dataDir), constants.W_OK)) {
        findings.problem(
          `${existingParent(dataDir)} is not writable`,
          'choose another directory with SVC_DATA_DIR, or have its owner create this one',
        );
      }
      return;
    }
    const stats = statSync(dataDir);
    if (!stats.isDirectory())
      return findings.problem(`${dataDir} is not a directory`, 'choose another with SVC_DATA_DIR');
    if (isDenied(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)) {
      return findings.problem(
        `${dataDir} may not be read and written by this user`,
        `run as its owner (user id ${stats.uid}), or hand it over: chown -R`,
      );
    }
    const before = findings.all.length;
    ownerOnly(dataDir, stats, findings, 'warning');
    for (const name of privateFiles) {
      const path = join(dataDir, name);
      if (existsSync(path)) ownerOnly(path, statSync(path), findings, 'problem');
    }
    if (findings.all.length === before) findings.ok(`${dataDir}, for ${network}; readable by its owner alone`);
  },
};

function ownerOnly(path: string, { mode, uid }: Stats, findings: Findings, how: 'warning' | 'problem'): void {
  const mine = process.getuid?.();
  if (mine === undefined) return;
  if ((mode & 0o077) !== 0) {
    findings[how](
      `users other than its owner may open ${path} (mode ${(mode & 0o777).toString(8)})`,
      `chmod go= ${path}`,
    );
  }
  if (uid !== mine && mine !== 0) {
    findings.warning(`${path} belongs to user id ${uid}, and this is ${mine}`, 'run the node as the owner of its data');
  }
}

const space: Check<DoctorContext> = {
  about: 'free space',
  look({ config: { dataDir, segmentsDir } }, findings) {
    spaceUnder(dataDir, `below ${bounds.freeDiskBytes / mebibyte} MiB writes are refused`, findings);
    if (segmentsDir !== undefined) spaceUnder(segmentsDir, 'without room old entries stay in the database', findings);
    const remote = networkFileSystems[statfsSync(existingParent(dataDir)).type];
    if (remote === undefined) return;
    findings.problem(
      `the data directory lies on ${remote}, where a database can’t rely on locks`,
      'put it on a disk of this machine, or use MongoDB (SVC_STORE)',
    );
  },
};

/** @param full what follows from a full disk */
function spaceUnder(directory: string, full: string, findings: Findings): void {
  const place = existingParent(directory);
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const says = `${count(Math.floor(free / mebibyte))} MiB are free under ${place}`;
  const mend = 'make room on that disk, or move the directory to a larger one';
  if (free < bounds.freeDiskBytes) findings.problem(`${says}: ${full}`, mend);
  else if (free < comfortBytes) findings.warning(says, mend);
  else findings.ok(says);
}

const lock: Check<DoctorContext> = {
  about: 'lock',
  async look({ config: { dataDir, store }, running }, findings) {
    if (running) return findings.ok(`process ${running.pid} runs on it and answers at ${running.url}`);
    if (store !== 'embedded' || !existsSync(dataDir)) return findings.ok('no node runs on it');
    const { lockHolder } = await import('../../store/sqlite/lock.js');
    const holder = lockHolder(dataDir);
    if (holder === undefined) return findings.ok('no node runs on it');
    findings.problem(
      `process ${holder} locks it and does not answer: a node that is starting or stopping, another command, or a hung process`,
      `look at it (ps -p ${holder}); end it with kill ${holder} if it does not end by itself`,
    );
  },
};

/** The deepest existing folder of a path. */
function existingParent(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingParent(dirname(path));
}

function isDenied(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return false;
  } catch {
    return true; // the caller reports the error
  }
}

export const directoryChecks: readonly Check<DoctorContext>[] = [directory, space, lock];
