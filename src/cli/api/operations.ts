/**
 * The operations of the API, read from a packaged file that is generated from the routes: to read all of openapi.json
 * would take 25 ms of CPU time at each start.
 */
import { readFileSync } from 'node:fs';
import { actions } from '../../../packages/client/src/signing/actions.js';
import { packageFile } from '../../core/version.js';

export interface InputSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly writeOnly?: boolean;
  readonly properties?: { readonly [name: string]: InputSchema };
  readonly required?: readonly string[];
  readonly items?: InputSchema;
  readonly anyOf?: readonly InputSchema[];
  readonly oneOf?: readonly InputSchema[];
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: InputSchema;
}

export interface ApiOperation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path template with `{name}` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly scope: 'read' | 'write' | 'admin';
  readonly parameters: readonly OperationParameter[];
  readonly body?: InputSchema;
  /** Of the body. */
  readonly example?: { readonly [name: string]: unknown };
  /** Media type of the reply: text may be JSON, if a parameter selects it. */
  readonly answers: 'json' | 'text';
}

const file = packageFile('docs/generated/operations.json');

export const readOperations = (): readonly ApiOperation[] =>
  JSON.parse(readFileSync(file, 'utf8')) as readonly ApiOperation[];

/**
 * Whether a path parameter may be left out, because the caller's DID is its default: the only parameter of a read of a
 * wallet, a reputation or an identity.
 */
export function isOwnDid({ method, path, parameters }: ApiOperation, index: number): boolean {
  const places = parameters.filter((each) => each.in === 'path');
  const name = places[index]?.name ?? '';
  const isAccount =
    /^(wallets|reputations?|identities)\//.test(path.replace('/api/v1/', '')) && !path.includes('api-keys');
  return method === 'GET' && isAccount && places.length === 1 && ['did', 'address'].includes(name);
}

/** What a key of the caller signs for this operation; undefined if that is no write, or one that is not signed. */
export const signedActionsOf = ({ method, path }: ApiOperation) =>
  method === 'POST' ? actions[path.replace('/api/v1', '').replace(/\{(\w+)\}/g, ':$1')] : undefined;

/** Reads that decrypt what they find: at the node, or with a key of the caller. */
export const opensHere = ({ operationId }: ApiOperation): boolean => ['openOrder', 'openLease'].includes(operationId);

/** Whether the caller’s own key can be used: to sign, to decrypt, or to show who reads. */
export const takesKey = (operation: ApiOperation): boolean =>
  signedActionsOf(operation) !== undefined ||
  opensHere(operation) ||
  (operation.method === 'GET' && operation.path.startsWith('/api/'));
