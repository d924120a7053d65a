/**
 * The transactions that put the contracts on a chain, and the addresses that they will have. Nothing is sent here: who
 * sends stores each one first.
 */
import { contracts } from './artifacts/contracts.js';
import { interfaceOf, roleOf } from './interfaces.js';
import { genesisHead } from './operation-batch.js';

/** Addresses, checksummed. */
export interface Contracts {
  readonly token: string;
  readonly registry: string;
  readonly vault: string;
  readonly settlement: string;
}

/** Who may do what; every one of them may be a contract such as a multisig. */
export interface Roles {
  /** Grants and revokes the others, of all three contracts that have roles. */
  readonly admin: string;
  /** Sends the stream and the anchors. */
  readonly operator: string;
  /** Registers DIDs; absent: nobody yet. */
  readonly registrar?: string;
  /** Freezes addresses of the Token; absent: nobody yet. */
  readonly freezer?: string;
  /** Mints outside of the stream; absent: nobody yet. */
  readonly minter?: string;
}

export interface DeploymentOptions extends Roles {
  /** Sends the transactions. It has no role in the end, unless it is named for one. */
  readonly deployer: string;
  /** Nonce of the deployer's next transaction; the plan takes the following ones without a gap. */
  readonly nonce: number;
  readonly network: string;
  /** Whether the stream may mint: on devnet and testnet. Elsewhere Tokens enter a ledger by deposit only. */
  readonly mints: boolean;
}

export interface DeploymentStep {
  /** For the log: `deploy LedgerVault`, `grant MINTER_ROLE`. */
  readonly what: string;
  /** null makes a contract. */
  readonly to: string | null;
  /** `0x` and hex. */
  readonly data: string;
}

export interface DeploymentPlan {
  readonly contracts: Contracts;
  /** In this order, one transaction each. */
  readonly steps: readonly DeploymentStep[];
}

const noRole = `0x${'0'.repeat(64)}`;

/** Plans a deployment of all contracts. Pure but for loading ethers. */
export async function planDeployment(options: DeploymentOptions): Promise<DeploymentPlan> {
  const { getCreateAddress } = await import('ethers/address');
  const { deployer, nonce, admin, operator } = options;
  const created = (from: string, at: number) => getCreateAddress({ from, nonce: at });
  const [token, registry, vault] = [0, 1, 2].map((n) => created(deployer, nonce + n)) as [string, string, string];
  // The vault makes its own Settlement, with the first nonce that a contract has.
  const all: Contracts = { token, registry, vault, settlement: created(vault, 1) };
  const genesis = `0x${genesisHead(options.network).toString('hex')}`;
  return {
    contracts: all,
    steps: [
      await creation('ServiceToken', [deployer]),
      await creation('IdentityRegistry', [deployer]),
      await creation('LedgerVault', [token, registry, admin, operator, genesis]),
      ...(await grants(all, options)),
    ],
  };
}

async function creation(name: Exclude<keyof typeof contracts, 'Settlement'>, args: readonly string[]) {
  const encoded = (await interfaceOf(name)).encodeDeploy(args);
  return { what: `deploy ${name}`, to: null, data: contracts[name].bytecode + encoded.slice(2) };
}

/** The deployer administers Token and registry until it has handed out their roles, its own last. */
async function grants({ token, registry, vault }: Contracts, options: DeploymentOptions): Promise<DeploymentStep[]> {
  const calls = await interfaceOf('ServiceToken');
  const grant = (what: string, to: string, role: string, who: string): DeploymentStep => ({
    what: `grant ${what}`,
    to,
    data: calls.encodeFunctionData('grantRole', [role, who]),
  });
  const { deployer, admin, registrar, freezer, minter, mints } = options;
  const steps: DeploymentStep[] = [];
  for (const who of [mints ? vault : undefined, minter]) {
    if (who) steps.push(grant('MINTER_ROLE', token, await roleOf('MINTER_ROLE'), who));
  }
  if (freezer) steps.push(grant('FREEZER_ROLE', token, await roleOf('FREEZER_ROLE'), freezer));
  if (registrar) steps.push(grant('REGISTRAR_ROLE', registry, await roleOf('REGISTRAR_ROLE'), registrar));
  if (admin.toLowerCase() === deployer.toLowerCase()) return steps;
  const renounce = calls.encodeFunctionData('renounceRole', [noRole, deployer]);
  for (const to of [token, registry]) {
    steps.push(grant('the admin role', to, noRole, admin), { what: 'renounce the admin role', to, data: renounce });
  }
  return steps;
}
