/**
 * The folder of key files: `<address>.json`, 0600, replaced atomically. Nothing is cached, so that files of other processes
 * are seen at once.
 */
import { constants } from 'node:fs';
import { access, open, readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { addressOf, parseAddress } from '../core/codecs/address.js';
import type { Did } from '../core/codecs/did.js';
import { makeFolder, syncFolder, writeFileDurably } from '../core/durable-file.js';
import { BadKeyFile, type KeyFile, parseKeyFile } from './keyfile.js';

/** Called with each unusable file. The reason contains no secret. */
export type OnBadFile = (path: string, reason: string) => void;

/** The longest key file that is read, bytes; a key file has about 600. */
const longestFileBytes = 16 * 1024;
const suffix = '.json';

export class KeyFolder {
  private constructor(
    private readonly dir: string,
    private readonly onBadFile: OnBadFile,
  ) {}

  /** Creates a missing folder with mode 0700; an existing one keeps its mode. */
  static async open(dir: string, onBadFile: OnBadFile): Promise<KeyFolder> {
    const folder = resolve(dir);
    const topmost = makeFolder(folder);
    if (topmost !== undefined) {
      for (let made = folder; made.length >= topmost.length; made = dirname(made)) await syncFolder(dirname(made));
    }
    return new KeyFolder(folder, onBadFile);
  }

  /** The path of a DID's key file, existing or not. */
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

  /** The key file of a DID; undefined when it is missing or, after a report, unusable. */
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

  /** Writes or replaces a key file atomically: a crash leaves the old file or the new one. */
  async write(file: KeyFile): Promise<void> {
    await writeFileDurably(this.pathOf(file.did), `${JSON.stringify(file, null, 2)}\n`);
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function readKeyFile(path: string): Promise<KeyFile | BadKeyFile | undefined> {
  try {
    // Without O_NONBLOCK, opening a FIFO of that name would block one of libuv's threads for ever.
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
    // Callers must not be able to tell an unusable file from a missing one; only the operator is told.
    return new BadKeyFile(
      error instanceof SyntaxError ? 'no JSON' : `unreadable (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
