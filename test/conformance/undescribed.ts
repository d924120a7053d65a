/** Members, parameters and operations of an OpenAPI document without a description. */
import type { Body } from '../node/support/client.js';

export function undescribed(document: Body): string[] {
  const { schemas } = document.components;
  const found: string[] = [];
  const describes = ({ description, $ref }: Body): boolean =>
    Boolean(description ?? schemas[$ref?.split('/').at(-1)]?.description);

  function look(schema: Body, path: string): void {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [name, member] of Object.entries<Body>(schema.properties ?? {})) {
      if (!describes(member)) found.push(`${path}.${name}`);
      look(member, `${path}.${name}`);
    }
    for (const keyword of ['items', 'additionalProperties']) look(schema[keyword], `${path}[]`);
    for (const keyword of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
      for (const each of schema[keyword] ?? []) look(each, path);
    }
  }

  for (const [name, schema] of Object.entries(schemas)) look(schema, name);
  for (const methods of Object.values<Body>(document.paths)) {
    for (const operation of Object.values<Body>(methods)) {
      const { operationId, summary, description, parameters, requestBody, responses } = operation;
      if (!summary || !description) found.push(operationId);
      for (const each of parameters) if (!each.description) found.push(`${operationId}?${each.name}`);
      const answers = [requestBody, ...Object.values<Body>(responses)];
      for (const { content = {} } of answers.filter((each) => each !== undefined)) {
        for (const { schema } of Object.values<Body>(content)) look(schema, operationId);
      }
    }
  }
  return found;
}
