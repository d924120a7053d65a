/** Parsers of JSON-RPC replies. A malformed reply counts as no answer: they throw ChainAway. */
import { ChainAway, type EvmBlock, type EvmLog, type EvmReceipt, type Hex } from './evm.js';

export const hexText = /^0x[0-9a-fA-F]*$/;
const hashText = /^0x[0-9a-fA-F]{64}$/;
const addressText = /^0x[0-9a-fA-F]{40}$/;

type UntrustedMembers = { readonly [name: string]: unknown };

const nonsense = (what: string): ChainAway => new ChainAway(`the RPC answered with something that is no ${what}`);

function matching(value: unknown, pattern: RegExp, what: string): Hex {
  if (typeof value !== 'string' || !pattern.test(value)) throw nonsense(what);
  return value.toLowerCase() as Hex;
}

export const hexOf = (value: unknown): Hex => matching(value, hexText, 'hex text');
export const hexHash = (value: unknown): Hex => matching(value, hashText, 'hash');

export function bigintOf(value: unknown): bigint {
  const text = matching(value, hexText, 'quantity');
  return text === '0x' ? 0n : BigInt(text);
}

export function numberOf(value: unknown): number {
  const number = Number(bigintOf(value));
  if (!Number.isSafeInteger(number)) throw nonsense('number');
  return number;
}

const fieldsOf = (value: unknown, what: string): UntrustedMembers => {
  if (typeof value !== 'object' || value === null) throw nonsense(what);
  return value as UntrustedMembers;
};

export function blockOf(value: unknown): EvmBlock | undefined {
  if (value === null) return undefined;
  const { number, hash, timestamp, baseFeePerGas } = fieldsOf(value, 'block');
  return {
    number: numberOf(number),
    hash: hexHash(hash),
    timestamp: numberOf(timestamp),
    baseFeePerGas: baseFeePerGas === undefined || baseFeePerGas === null ? 0n : bigintOf(baseFeePerGas),
  };
}

export function logsOf(value: unknown): EvmLog[] {
  if (!Array.isArray(value)) throw nonsense('list of logs');
  return value.map((each) => {
    const log = fieldsOf(each, 'log');
    if (!Array.isArray(log.topics)) throw nonsense('list of topics');
    return {
      address: matching(log.address, addressText, 'address'),
      topics: log.topics.map(hexHash),
      data: hexOf(log.data),
      blockNumber: numberOf(log.blockNumber),
      blockHash: hexHash(log.blockHash),
      transactionHash: hexHash(log.transactionHash),
      logIndex: numberOf(log.logIndex),
    };
  });
}

export function evmReceiptOf(value: unknown): EvmReceipt | undefined {
  if (value === null) return undefined;
  const receipt = fieldsOf(value, 'receipt');
  if (receipt.blockNumber === null || receipt.blockHash === null) return undefined;
  const { contractAddress } = receipt;
  return {
    transactionHash: hexHash(receipt.transactionHash),
    blockNumber: numberOf(receipt.blockNumber),
    blockHash: hexHash(receipt.blockHash),
    succeeded: numberOf(receipt.status) === 1,
    gasUsed: numberOf(receipt.gasUsed),
    contractAddress:
      contractAddress === null || contractAddress === undefined
        ? null
        : matching(contractAddress, addressText, 'address'),
    logs: logsOf(receipt.logs),
  };
}
