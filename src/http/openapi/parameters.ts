/** Parameters of paths and queries. */
import { did, type JsonSchema, type Scalar } from '../../core/schema/scalar.js';
import { parametersOf } from '../server/paths.js';
import type { Route } from '../server/route.js';

/** Descriptions of path parameters; routes describe the others. */
const named: { readonly [parameter: string]: string } = {
  did: 'A DID.',
  home: 'DID of a home.',
  address: 'A DID, or an account address (`svc1…`).',
  kind: 'The kind of resource: `GET /api/v1/machines` lists them.',
  id: 'Id of the resource.',
  hash: 'Hash of an event, or of a transaction on chain.',
  suffix: 'Last part of the `type` of a problem document, or an error code.',
  file: 'Name of the file.',
  page: 'Name of the page.',
};

/** `escrowId`: the id of the escrow. */
const meaningOf = (name: string): string | undefined =>
  named[name] ?? (name.endsWith('Id') ? `Id of the ${name.slice(0, -2)}.` : undefined);

/** @param examples by name */
export const pathParameters = ({ path, parameters }: Route, examples: { readonly [parameter: string]: string } = {}) =>
  parametersOf(path).map((name) => {
    const { description = meaningOf(name), ...schema } = (parameters?.[name] ??
      (name === 'did' || name === 'home' ? did.schema : { type: 'string' })) as JsonSchema & {
      readonly description?: string;
    };
    const example = examples[name];
    return {
      ...{ name, in: 'path', required: true },
      ...(description === undefined ? {} : { description }),
      schema,
      ...(example === undefined ? {} : { example }),
    };
  });

export const queryParameters = ({ fields = {}, aliases = {} }: Partial<Scalar<unknown>> = {}) =>
  Object.entries(fields).map(([name, field]) => {
    const { description: says = '', ...schema } = field.schema as { description?: string };
    const others = Object.keys(aliases).filter((alias) => aliases[alias] === name);
    const also = others.map((alias) => ` Also accepted: \`${alias}\`.`).join('');
    const description = `${says}${also}`.trim();
    return {
      name,
      in: 'query',
      required: !field.optional,
      ...(description === '' ? {} : { description }),
      // Clients write lists as one comma-separated parameter; repeated ones are read as well.
      ...((schema as JsonSchema).type === 'array' ? { style: 'form', explode: false } : {}),
      schema,
    };
  });
