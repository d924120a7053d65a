/**
 * Withdrawals of Tokens to the chain (docs/reference/accounts-and-nonces.md#deposits-and-withdrawals,
 * docs/settlement.md#tokens-in-and-out), and the controllers of DIDs there.
 */
import { addressOfKey, receiverGiven } from '../../chain/contracts/controller.js';
import type { JsonObject } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { type ControllerKey, deriveControllerKey } from '../../keys/controller-key.js';
import type { Signer } from '../../keys/signing.js';
import { withdrawInput } from '../../machines/account/account.js';
import { boundToAnother } from '../access/caller.js';
import type { ApiContext } from '../context/api-context.js';
import { passphraseOfDid, signedBodies, signerFields } from '../context/signed-body.js';
import { registrationSchema } from '../openapi/schemas/chain.js';
import { fromChain, noChain } from '../render/chain-answer.js';
import { transferSchema } from '../render/transfer-view.js';
import type { Call, Route } from '../server/route.js';
import { didParameter } from './did-parameter.js';
import { type TransferRules, tooCheap, transferAnswer, walletOf } from './wallets.js';

type WithdrawalRequest = {
  readonly did: string;
  readonly amount: number;
  readonly fee?: number;
  readonly to?: string;
  readonly prepare?: boolean;
};

const zeroAddress = `0x${'0'.repeat(40)}`;

export function withdrawalRoutes(api: ApiContext, rules: TransferRules): Route[] {
  const { onChain } = api;
  const { to: _, ...inputFields } = withdrawInput.fields as typeof withdrawFields;

  const unlock = (call: Call, did: string): Signer | Refusal | Promise<Signer | Refusal> =>
    api.writes.unlock(call, did)();
  const answer = transferAnswer(api);

  /** A signer elsewhere names the receiver in its normal form. */
  async function flawOfWithdrawal(input: JsonObject): Promise<Refusal | undefined> {
    if (!onChain) return noChain;
    const receiver = await receiverGiven(String(input.to), onChain.contracts);
    if (isRefusal(receiver)) return receiver;
    return receiver === input.to ? tooCheap(input, rules) : invalid('payload.input.to', `must be ${receiver}`);
  }

  /**
   * The receiving address, checksummed. A DID without a registered controller gets the one derived from its own key.
   */
  async function receiverOf(call: Call): Promise<string | Refusal> {
    const { did, to, prepare } = call.body as unknown as WithdrawalRequest;
    if (!onChain) return noChain;
    if (to !== undefined) return receiverGiven(to, onChain.contracts);
    if (prepare) return invalid('to', 'is required where the signer keeps the key');
    const found = await fromChain(onChain.registration(did));
    if (isRefusal(found)) return found;
    if (found.controller !== null) return found.controller;
    if (found.registered)
      return refuse('UNPROCESSABLE', 'the controller of this DID was revoked: name the recipient in to');
    const signer = await unlock(call, did);
    if (isRefusal(signer)) return signer;
    const keyed = deriveControllerKey(signer);
    void registerSoon(keyed);
    return addressOfKey(keyed.key);
  }

  /** Runs in the background; the next withdrawal retries it. */
  const registerSoon = (keyed: ControllerKey): Promise<unknown> | undefined =>
    onChain?.register(keyed).catch(() => undefined);

  const withdraw: Route = {
    method: 'POST',
    path: '/api/v1/wallets/:address/actions/withdraw',
    name: 'withdraw',
    refuses: ['INSUFFICIENT_BALANCE'],
    tag: 'Wallets',
    summary: 'Pay Tokens out on chain: to an EVM address, by default to the controller of the DID.',
    scope: 'write',
    ...signedBodies(
      is.object({
        ...signerFields,
        ...inputFields,
        to: is.optional(is.evmAddress, 'EVM address that receives the Tokens; default: the address of the DID.'),
      }),
    ),
    writes: [{ kind: 'account', action: 'withdraw', admits: ({ input }) => flawOfWithdrawal(input), answer }],
    example: { amount: 5, to: '0x52908400098527886E0F7030069857D2E4169EE7' },
    success: { status: 200, schema: transferSchema, description: 'the withdrawal' },
    async handle(call) {
      const wallet = walletOf(call.params.address!);
      if (isRefusal(wallet)) return wallet;
      const { did, amount, fee } = call.body as unknown as WithdrawalRequest;
      const bound = boundToAnother(call.caller, did);
      if (bound) return bound;
      // Other signers are refused whatever the address, so no controller is registered for them.
      const receiver = did === wallet ? await receiverOf(call) : zeroAddress;
      // A key that does not unlock is refused at once, so that a wrong passphrase counts as one guess only.
      if (isRefusal(receiver) && isAboutTheKey(receiver)) return receiver;
      const accepted = await api.writes.sign(call, {
        kind: 'account',
        id: wallet,
        action: 'withdraw',
        input: { amount, to: isRefusal(receiver) ? zeroAddress : receiver, ...(fee === undefined ? {} : { fee }) },
        status: 200,
        prechecked: isRefusal(receiver) ? receiver : tooCheap({ fee }, rules),
      });
      if (!isRefusal(accepted) && !accepted.prepared) {
        const signer = await unlock(call, did);
        if (!isRefusal(signer)) void registerSoon(deriveControllerKey(signer));
      }
      return answer(accepted);
    },
  };

  const register: Route = {
    method: 'POST',
    path: '/api/v1/identities/:did/actions/register-controller',
    name: 'registerController',
    refuses: ['UNPROCESSABLE'],
    tag: 'Identity',
    summary:
      'Register the DID’s controller, derived from its own key, in the registry on chain, unless the DID is registered.',
    scope: 'write',
    body: is.object({ passphrase: passphraseOfDid }),
    example: { passphrase: 'correct horse battery staple' },
    success: { status: 200, schema: registrationSchema, description: 'the registration afterwards' },
    async handle(call) {
      const did = didParameter(call);
      if (isRefusal(did)) return did;
      const bound = boundToAnother(call.caller, did);
      if (bound) return bound;
      const signer = await unlock(call, did);
      if (isRefusal(signer)) return signer;
      if (!onChain) return noChain;
      const registration = await fromChain(onChain.register(deriveControllerKey(signer)));
      return isRefusal(registration) ? registration : { status: 200, body: { did, ...registration } };
    },
  };
  return [withdraw, register];
}

const withdrawFields = withdrawInput.fields!;

const isAboutTheKey = ({ code }: Refusal): boolean => code === 'TRANSFER_NOT_ALLOWED' || code === 'RATE_LIMITED';
