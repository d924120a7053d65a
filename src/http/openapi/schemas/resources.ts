/**
 * Replies of the kinds with a machine, derived like their routes: view, list, write, and the resulting transfer.
 */

import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import type { ActionDefinition, AnyResource } from '../../../machines/kernel/definition.js';
import { transferSchema } from '../../render/transfer-view.js';
import { txHash } from '../../render/write-view.js';
import { pageSchema, writing, written } from './replies.js';

const permission = a.named(
  'Permission',
  a.object({
    action: a.described(a.text, 'What state and time allow now.'),
    open: a.described(a.list(a.text), 'Error codes of the guards that the input may still fail.'),
  }),
);
const permittedActions: JsonSchema = {
  type: 'object',
  additionalProperties: a.list(permission),
  description:
    'The actions that each role may take now, computed when you read the resource; in lists only with `include=permittedActions`.',
};

/** Members of the views of other homes' listings and identities. */
export const foreignMembers: a.SchemaMembers = {
  home: a.described(a.did, 'DID of the home that it belongs to; absent: it is this node’s own.'),
  asOf: a.described(
    a.time,
    'Of another home’s: up to when this node has read that home’s feed, epoch milliseconds, or when the home was asked; absent before the first checkpoint.',
  ),
};

/** Members of a view that name what the resource is about, whose title its reads show (`ViewContext.titleOf`). */
const namesSubject = ['listingId', 'subject', 'purpose'] as const;

const subjectTitle = a.erasable(
  a.text,
  'In reads: the present title of the listing or contract that it is about; absent where you may not see that, or the operator hides it.',
);

/** The view of the definition with the members that every view has: `viewOf`. */
export function viewSchemaOf(definition: AnyResource): JsonSchema {
  const { viewSchema, search } = definition;
  const { properties = {}, required } = viewSchema as Partial<a.ObjectSchema>;
  const isAbout = search === undefined && namesSubject.some((name) => name in properties);
  return {
    ...viewSchema,
    type: 'object',
    properties: {
      ...properties,
      txHash,
      permittedActions,
      ...(isAbout && { title: subjectTitle }),
      ...(search && foreignMembers),
    },
    // `permittedActions` is not required: items of a list use the same component and omit it.
    required: [...(required ?? []), 'txHash'],
  };
}

/** The reply to a read of one resource. */
export function detailSchemaOf(definition: AnyResource): JsonSchema {
  const { repeatedAs: again, kind, viewSchema } = definition;
  const view = viewSchemaOf(definition);
  if (again === undefined) return view;
  const title = String(viewSchema.title ?? kind);
  const member = { [again]: a.described(a.named(title, view), 'The same again.') };
  return a.named(`${title}Detail`, a.allOf(view, a.object(member)));
}

export const listSchemaOf = (definition: AnyResource): JsonSchema =>
  pageSchema(definition.list.name, viewSchemaOf(definition));

/**
 * The member that contains the view in a reply about something else: `order` for information orders and task orders.
 */
export const memberOf = ({ route }: AnyResource): string => route.param.replace(/Id$/, '');

const writtenSchemaOf = (definition: AnyResource): JsonSchema => written(viewSchemaOf(definition));

/**
 * The reply to a creation. @param once members that are shown only once: null in a replay, absent if there is nothing
 */
export function createdSchemaOf(definition: AnyResource, once: a.SchemaMembers | undefined): JsonSchema {
  const made = writing(viewSchemaOf(definition));
  if (!once) return writtenSchemaOf(definition);
  const members = Object.fromEntries(Object.entries(once).map(([name, schema]) => [name, a.nullable(schema)]));
  return a.named(`${definition.viewSchema.title}Created`, a.allOf(made, a.object({}, members)));
}

/** A TransferResult with the view inside. */
function transferSchemaOf(definition: AnyResource): JsonSchema {
  const { kind, route, viewSchema } = definition;
  return a.named(
    `${viewSchema.title ?? kind}Transfer`,
    a.allOf(
      transferSchema,
      a.object({
        [route.param]: a.described(a.text, `Id of the ${kind}.`),
        [memberOf(definition)]: a.described(writtenSchemaOf(definition), `The ${kind} after it.`),
        resourcePrev: a.described(a.hash, `Send it as \`resourcePrev\` with your next write on the ${kind}.`),
      }),
    ),
  );
}

/** The reply to an action. @param definitionOf gives the other kinds of the catalogue */
export function replySchemaOf(
  definition: AnyResource,
  reply: ActionDefinition<unknown, string>['reply'],
  definitionOf: (kind: string) => AnyResource,
): { readonly schema: JsonSchema; readonly description: string } {
  const { kind, route } = definition;
  const { title: viewTitle } = definition.viewSchema;
  const isNewest = typeof reply === 'object' && 'among' in reply && reply.named === undefined;
  if (reply === undefined || reply === 'view' || isNewest) {
    const action = a.described(a.text, 'The action that was taken.');
    const acted = a.allOf(writing(viewSchemaOf(definition)), a.object(definition.repeatedAs ? { action } : {}));
    const description = `the updated ${kind}`;
    if (isNewest) {
      const newest = { [reply.among]: a.described(reply.schema, 'The record that was made.') };
      return { schema: a.named(`${viewTitle}Recorded`, a.allOf(acted, a.object(newest))), description };
    }
    return {
      schema: definition.repeatedAs ? a.named(`${viewTitle}Acted`, acted) : writtenSchemaOf(definition),
      description,
    };
  }
  if (reply === 'transfer') {
    return { schema: transferSchemaOf(definition), description: 'the resulting transfer' };
  }
  const whole = a.described(writtenSchemaOf(definition), `The ${kind} after it.`);
  const inside = { [route.param]: a.described(a.text, `Id of the ${kind}.`), [memberOf(definition)]: whole };
  const next = {
    resourcePrev: a.described(a.hash, `Send it as \`resourcePrev\` with your next write on the ${kind}.`),
  };
  if ('among' in reply) {
    const { title = reply.among } = reply.schema;
    const schema = a.named(`${title}Written`, a.allOf(writing(reply.schema), a.object({ ...inside, ...next })));
    return { schema, description: `the updated member of \`${reply.among}\`` };
  }
  const other = definitionOf(reply.kind);
  const { title = reply.kind } = other.viewSchema;
  const schema = a.named(
    `${definition.viewSchema.title}${title}`,
    a.allOf(writing(viewSchemaOf(other)), a.object(inside)),
  );
  return { schema, description: `the new ${reply.kind}` };
}
