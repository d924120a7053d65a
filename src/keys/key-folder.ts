/**
 * The folder of key files: `<address>.json`, 0600, replaced atomically. Nothing is remembered between calls,
 * so that what another process adds is seen at once.
 */
import { constants } from 'node:fs';
import { access, open, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder, syncFolder, writeFileDurably } from '../durable-file.js';
import { addressOf, parseAddress } from './address.js';
import type { Did } from './did.js';
import { BadKeyFile, type KeyFile, parseKeyFile } from './keyfile.js';

/** Called with each file that is no key file of ours. The reason holds no secret. */
export type OnBadFile = (path: string, reason: string) => void;

/** Ours have 600 bytes; a longer one is not read. */
const longestFileBytes = 16 * 1024;
const suffix = '.json';

export class KeyFolder {
  private constructor(
    private readonly dir: string,
    private readonly onBadFile: OnBadFile,
  ) {}

  /** Makes the folder (0700) where it is missing; one that is there keeps the mode that its owner gave it. */
  static async open(dir: string, onBadFile: OnBadFile): Promise<KeyFolder> {
    const folder = resolve(dir);
    const topmost = makeFolder(folder);
    if (topmost !== undefined) {
      for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made));
    }
    return new KeyFolder(folder, onBadFile);
  }

  /** Where the key of a DID lies, or would lie. */
  pathOf(did: Did): string {
    return join(this.dir, addressOf(did) + suffix);
  }

  async has(did: Did): Promise<boolean> {
    try {
      await access(this.pathOf(did));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /** The key file of a DID; undefined where there is none, or none that can be used (reported). */
  async read(did: Did): Promise<KeyFile | undefined> {
    const path = this.pathOf(did);
    const file = await readKeyFile(path);
    if (file === undefined) return undefined;
    if (file instanceof BadKeyFile) return this.report(path, file.reason);
    return file.did === did ? file : this.report(path, 'the file name is not the address');
  }

  report(path: string, reason: string): undefined {
    this.onBadFile(path, reason);
  }

  /** Every readable key file, oldest first. */
  async list(): Promise<KeyFile[]> {
    const files: KeyFile[] = [];
    for (const name of await readdir(this.dir)) {
      if (!name.endsWith(suffix)) continue;
      const did = parseAddress(name.slice(0, -suffix.length));
      const file = did === undefined ? undefined : await this.read(did);
      if (file) files.push(file);
    }
    return files.sort((a, b) => a.createdAt - b.createdAt || (a.did < b.did ? -1 : 1));
  }

  /** Writes or replaces a key file: after a crash there is the old one or the new one, never half of one. */
  async write(file: KeyFile): Promise<void> {
    await writeFileDurably(this.pathOf(file.did), `${JSON.stringify(file, null, 2)}\n`);
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function readKeyFile(path: string): Promise<KeyFile | BadKeyFile | undefined> {
  try {
    // Without O_NONBLOCK a FIFO of that name would hold one of libuv's threads for good.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return new BadKeyFile('no regular file');
      if (stat.size > longestFileBytes) return new BadKeyFile('too long');
      return parseKeyFile(JSON.parse(await handle.readFile('utf8')));
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    // A file that cannot be read or parsed must look like a missing one to a stranger; the operator is told.
    return new BadKeyFile(
      error instanceof SyntaxError ? 'no JSON' : `unreadable (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
