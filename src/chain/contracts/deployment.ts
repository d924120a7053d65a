/**
 * Plans a deployment: its transactions, and the addresses of the contracts. Nothing is sent here; the caller stores each
 * transaction before it sends it.
 */
import { contracts } from '../artifacts/contracts.js';
import { genesisHead } from '../operations/operation-batch.js';
import { contractInterface, roleOf } from './interfaces.js';

/** Addresses, checksummed. */
export interface ContractAddresses {
  readonly token: string;
  readonly registry: string;
  readonly vault: string;
  readonly settlement: string;
}

/** The roles of the contracts; each address may be a contract such as a multisig. */
export interface Roles {
  /** Grants and revokes the other roles of all three contracts. */
  readonly admin: string;
  /** Sends batches and anchors. */
  readonly operator: string;
  /** Registers DIDs; absent: granted to no address. */
  readonly registrar?: string;
  /** Freezes Token addresses; absent: granted to no address. */
  readonly freezer?: string;
  /** Mints outside of the stream; absent: granted to no address. */
  readonly minter?: string;
}

export interface DeploymentOptions extends Roles {
  /** Sends the transactions. It keeps no role unless one is named for it. */
  readonly deployer: string;
  /** Nonce of the deployer's next transaction; the plan takes the following ones without a gap. */
  readonly nonce: number;
  readonly network: string;
  /** Whether operations of the stream may mint (devnet, testnet); otherwise Tokens enter by deposit only. */
  readonly mints: boolean;
  /** A Token that exists, for a further vault of it. If operations may mint, the deployer must be its admin. */
  readonly token?: string;
}

export interface DeploymentStep {
  /** For the log: `deploy LedgerVault`, `grant MINTER_ROLE`. */
  readonly what: string;
  /** null creates a contract. */
  readonly to: string | null;
  /** `0x` and hex. */
  readonly data: string;
}

export interface DeploymentPlan {
  readonly contracts: ContractAddresses;
  readonly steps: readonly DeploymentStep[];
}

const noRole = `0x${'0'.repeat(64)}`;

/** Plans a deployment of all contracts, or of those that a given Token needs. Pure but for loading ethers. */
export async function planDeployment(options: DeploymentOptions): Promise<DeploymentPlan> {
  const { getCreateAddress } = await import('ethers/address');
  const { deployer, nonce, admin, operator } = options;
  const created = (from: string, at: number) => getCreateAddress({ from, nonce: at });
  const isNew = options.token === undefined;
  const token = options.token ?? created(deployer, nonce);
  const [registry, vault] = [0, 1].map((n) => created(deployer, nonce + (isNew ? 1 : 0) + n)) as [string, string];
  // The vault deploys its Settlement contract itself, with the first nonce of a contract.
  const all: ContractAddresses = { token, registry, vault, settlement: created(vault, 1) };
  const genesis = `0x${genesisHead(options.network).toString('hex')}`;
  return {
    contracts: all,
    steps: [
      ...(isNew ? [await creation('ServiceToken', [deployer])] : []),
      await creation('IdentityRegistry', [deployer]),
      await creation('LedgerVault', [token, registry, admin, operator, genesis]),
      ...(await grants(all, options)),
    ],
  };
}

async function creation(name: Exclude<keyof typeof contracts, 'Settlement'>, args: readonly string[]) {
  const encoded = (await contractInterface(name)).encodeDeploy(args);
  return { what: `deploy ${name}`, to: null, data: contracts[name].bytecode + encoded.slice(2) };
}

/** The deployer is admin of Token and registry until it has granted their roles; it renounces its own last. */
async function grants(
  { token, registry, vault }: ContractAddresses,
  options: DeploymentOptions,
): Promise<DeploymentStep[]> {
  const calls = await contractInterface('ServiceToken');
  const grant = (what: string, to: string, role: string, who: string): DeploymentStep => ({
    what: `grant ${what}`,
    to,
    data: calls.encodeFunctionData('grantRole', [role, who]),
  });
  const { deployer, admin, registrar, minter, mints } = options;
  // A Token that exists keeps its freezer and its admin.
  const [freezer, owned] = options.token === undefined ? [options.freezer, [token, registry]] : [undefined, [registry]];
  const steps: DeploymentStep[] = [];
  for (const who of [mints ? vault : undefined, minter]) {
    if (who) steps.push(grant('MINTER_ROLE', token, await roleOf('MINTER_ROLE'), who));
  }
  if (freezer) steps.push(grant('FREEZER_ROLE', token, await roleOf('FREEZER_ROLE'), freezer));
  if (registrar) steps.push(grant('REGISTRAR_ROLE', registry, await roleOf('REGISTRAR_ROLE'), registrar));
  if (admin.toLowerCase() === deployer.toLowerCase()) return steps;
  const renounce = calls.encodeFunctionData('renounceRole', [noRole, deployer]);
  for (const to of owned) {
    steps.push(grant('the admin role', to, noRole, admin), { what: 'renounce the admin role', to, data: renounce });
  }
  return steps;
}
