/** Where the package of this platform has anvil's binary. npm blocks install scripts, and none is needed. */
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const architectures: { readonly [arch: string]: string } = { x64: 'amd64', arm64: 'arm64' };

/** @returns undefined where the platform has none, or it is not installed */
export function anvilBinary(platform: string = process.platform, arch: string = process.arch): string | undefined {
  const name = `@foundry-rs/anvil-${platform}-${architectures[arch] ?? arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    const binary = join(folder, 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil');
    accessSync(binary, constants.X_OK);
    return binary;
  } catch {
    return undefined; // an optional package: the embedded EVM stands in
  }
}
