/** `svc-node chain deploy`: deploys the contracts on the chain of SVC_RPC_URL. A node never does this by itself. */
import type { Command } from 'commander';
import { holdProcess, realEnvironment } from '../core/environment.js';
import { readOperatorKey } from '../node/chain.js';
import { CommandFailed, UsageFault } from './failure.js';
import { withExamples } from './help.js';
import { note, print, printJson } from './output.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';

interface DeployCommandOptions extends CommonOptions {
  readonly admin?: string;
  readonly token?: string;
}

const explained = `
The chain is SVC_RPC_URL (and must be SVC_CHAIN_ID where that is set). The key in SVC_OPERATOR_KEY_FILE pays for it and
becomes the operator: it sends the stream of settlements, registers DIDs, and freezes. --admin grants and revokes these
roles: use a multisig wherever the Token is worth something. On devnet and testnet the stream may mint; on mainnet
Tokens enter a ledger by deposit only. Homes on one chain share a Token with --token: each has its own vault, and Tokens
that one pays out can be deposited at the other. On devnet and testnet the key must then be admin of that Token.

Prints one line for SVC_CONTRACTS, or for a file that it names. If a deployment breaks off, start again: the contracts
that it left on the chain are not used.
`;

export function addChain(program: Command): void {
  const chain = program.command('chain').description('Deploy the contracts that a node settles on.');
  const command = withCommonOptions(
    chain
      .command('deploy')
      .description('Deploy the contracts (Token, registry, vault and settlement) on the chain of SVC_RPC_URL.'),
  )
    .option('--admin <address>', 'EVM address that grants and revokes roles (default: the operator)')
    .option('--token <address>', 'the Token of the vault, which exists already (default: a new one)')
    .addHelpText('after', explained)
    .action(deploy);
  withExamples(
    command,
    ['chain deploy --network testnet > contracts.json', 'then SVC_CONTRACTS=contracts.json'],
    ['chain deploy --network mainnet --admin 0x…', 'with a multisig as admin of the contracts'],
  );
  withExamples(chain, ['chain deploy', 'puts them on the chain of SVC_RPC_URL']);
}

async function deploy({ admin, token, ...common }: DeployCommandOptions): Promise<void> {
  for (const [name, address] of Object.entries({ admin, token })) {
    if (address === undefined || /^0x[0-9a-fA-F]{40}$/.test(address)) continue;
    throw new UsageFault([`--${name} ${address} is not an EVM address: 0x and 40 hexadecimal digits.`]);
  }
  const config = loadSettings(common);
  if (config.rpcUrl === undefined) {
    throw new UsageFault(['SVC_RPC_URL names no chain; on its own local chain a node deploys by itself.']);
  }
  const [{ openRemote, RemoteRefused }, { deployContracts, DeploymentFailed }, { Operator }, { ChainRefused }] =
    await Promise.all([
      import('../chain/evm/remote.js'),
      import('../chain/settlement/deploy.js'),
      import('../chain/settlement/transaction.js'),
      import('../chain/evm/evm.js'),
    ]);
  const letGo = holdProcess();
  try {
    const operator = new Operator(readOperatorKey(config));
    const { rpcUrl: url, chainId, network } = config;
    const chain = await openRemote({ url, chainId, contracts: {}, world: realEnvironment });
    try {
      note(`svc-node: ${operator.address} deploys on chain ${chain.evm.chainId}, for ${network}`);
      const onStep = (what: string, hash: string) => note(`svc-node: ${what}: ${hash}`);
      const given = { ...(admin === undefined ? {} : { admin }), ...(token === undefined ? {} : { token }) };
      const { contracts, block } = await deployContracts({
        evm: chain.evm,
        operator,
        network,
        world: realEnvironment,
        onStep,
        ...given,
      });
      const printed = { ...contracts, block: { ...block } };
      if (common.json) printJson(printed);
      else print(JSON.stringify(printed));
    } finally {
      await chain.close();
    }
  } catch (error) {
    const isExplained = [RemoteRefused, DeploymentFailed, ChainRefused].some((kind) => error instanceof kind);
    if (isExplained) throw new CommandFailed((error as Error).message);
    throw error;
  } finally {
    letGo();
  }
}
