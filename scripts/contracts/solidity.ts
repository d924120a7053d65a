/** The Solidity compiler, as pinned in package.json, over src/chain/contracts. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface Solc {
  compile(input: string, callbacks: { import: (path: string) => { contents: string } }): string;
  version(): string;
}

interface Output {
  readonly errors?: readonly {
    readonly severity: string;
    readonly errorCode?: string;
    readonly formattedMessage: string;
  }[];
  readonly contracts: {
    readonly [file: string]: {
      readonly [name: string]: {
        readonly abi: readonly object[];
        readonly evm: {
          readonly bytecode: { readonly object: string };
          readonly deployedBytecode: { readonly object: string };
        };
      };
    };
  };
}

export interface CompiledContract {
  readonly abi: readonly object[];
  /** Creation code, hex without 0x. */
  readonly bytecode: string;
  /** Size of the code on chain in bytes; a chain refuses more than 24,576. */
  readonly runtimeBytes: number;
}

export interface Compiled {
  readonly compiler: string;
  /** SHA-256 of each source read, imports too, by the name that it is imported under. */
  readonly sources: { readonly [file: string]: string };
  readonly contracts: { readonly [name: string]: CompiledContract };
}

export class CompileFailed extends Error {
  override name = 'CompileFailed';
}

const folder = join('src', 'chain', 'contracts');

/** Makes builds reproducible: the same sources give the same bytes everywhere. */
export const settings = {
  evmVersion: 'cancun',
  viaIR: true,
  optimizer: { enabled: true, runs: 10_000 },
  metadata: { bytecodeHash: 'none', appendCBOR: false },
} as const;

/** Warns about transient storage, which here is OpenZeppelin's reentrancy guard, and which that guard clears. */
const acceptedWarnings = ['2394'];

/** @throws CompileFailed on errors and on warnings */
export function compile(): Compiled {
  const solc = createRequire(import.meta.url)('solc') as Solc;
  const sources = new Map<string, string>();
  const read = (name: string, file: string): string => {
    const text = readFileSync(file, 'utf8');
    sources.set(name, createHash('sha256').update(text).digest('hex'));
    return text;
  };
  const own = readdirSync(folder).filter((file) => file.endsWith('.sol'));
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(own.map((file) => [file, { content: read(file, join(folder, file)) }])),
    settings: {
      ...settings,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (name) => ({ contents: read(name, join('node_modules', name)) }) }),
  ) as Output;
  const complaints = (output.errors ?? []).filter(({ errorCode }) => !acceptedWarnings.includes(errorCode ?? ''));
  if (complaints.length > 0) throw new CompileFailed(complaints.map((each) => each.formattedMessage).join('\n'));
  return {
    compiler: solc.version(),
    sources: Object.fromEntries([...sources].sort(([a], [b]) => (a < b ? -1 : 1))),
    contracts: contractsOf(output, own),
  };
}

const contractsOf = (output: Output, own: readonly string[]): Compiled['contracts'] =>
  Object.fromEntries(
    own
      .flatMap((file) => Object.entries(output.contracts[file] ?? {}))
      .map(([name, { abi, evm }]) => [
        name,
        { abi, bytecode: evm.bytecode.object, runtimeBytes: evm.deployedBytecode.object.length / 2 },
      ]),
  );
