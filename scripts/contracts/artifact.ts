/**
 * The committed result of a compile, as a TypeScript module with what a program needs to deploy and call the
 * contracts.
 */
import { Interface } from 'ethers/abi';
import { type Compiled, settings } from './solidity.js';

export const artifactFile = 'src/chain/artifacts/contracts.ts';

/** Contracts that are deployed; the vault creates Settlement itself. */
const deployed = { ServiceToken: true, IdentityRegistry: true, LedgerVault: true, Settlement: false } as const;

const quoted = (text: string): string => `'${text}'`;
const block = (lines: readonly string[], depth: number): string =>
  lines.map((line) => `${'  '.repeat(depth)}${line},\n`).join('');

/** @param compiled must contain all contracts */
export function artifactOf({ compiler, sources, contracts }: Compiled): string {
  const entries = Object.entries(deployed).map(([name, withCode]) => {
    const { abi, bytecode } = contracts[name]!;
    const lines = new Interface(abi as never).format(false).map(quoted);
    return `  ${name}: {\n    abi: [\n${block(lines, 3)}    ],\n    bytecode: '${withCode ? `0x${bytecode}` : ''}',\n  },\n`;
  });
  const hashes = Object.entries(sources).map(([file, hash]) => `'${file}': '${hash}'`);
  return `/** Written by \`npm run contracts\` from the Solidity sources; \`npm run verify\` compares it with a fresh compile. */

export interface ContractArtifact {
  /** In the human-readable form of ethers. */
  readonly abi: readonly string[];
  /** Creation code; empty where another contract makes it. */
  readonly bytecode: string;
}

export const compiler = '${compiler}';

export const settings = ${JSON.stringify(settings)} as const;

/** SHA-256 of each source. */
export const sources: { readonly [file: string]: string } = {
${block(hashes, 1)}};

export const contracts: { readonly [N in ${Object.keys(deployed).map(quoted).join(' | ')}]: ContractArtifact } = {
${entries.join('')}};
`;
}
