/**
 * anvil, for tests of the RPC adapter; the node itself does not need it. Its package is downloaded when a test first needs it,
 * because a development dependency on one platform's binary would break installation on all others.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const version = '1.7.1';
const architectures: { readonly [arch: string]: string } = { x64: 'amd64', arm64: 'arm64' };
const cache = fileURLToPath(new URL('../../../../node_modules/.cache/', import.meta.url));
const folder = join(cache, `anvil-${version}`);

function isThere(binary: string): boolean {
  try {
    accessSync(binary, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Several suites may do this at once: the later one finds the folder and uses it. */
function fetchPackage(name: string): void {
  mkdirSync(cache, { recursive: true });
  const scratch = mkdtempSync(join(cache, 'anvil-'));
  const words = ['install', '--prefix', scratch, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  spawnSync('npm', [...words, `${name}@${version}`], { stdio: 'ignore', timeout: 300_000 });
  try {
    if (isThere(binaryIn(scratch, name))) renameSync(scratch, folder);
  } catch {
    // Another suite was first.
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const binaryIn = (root: string, name: string): string =>
  join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'anvil.exe' : 'anvil');

/** @returns undefined if the platform has none, or no registry is reachable */
export function anvilBinary(): string | undefined {
  const { platform, arch } = process;
  const name = `@foundry-rs/anvil-${platform}-${architectures[arch] ?? arch}`;
  const binary = binaryIn(folder, name);
  if (!isThere(binary)) fetchPackage(name);
  return isThere(binary) ? binary : undefined;
}
