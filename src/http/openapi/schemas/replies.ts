/**
 * Schemas that several replies share: a view after a write, and pages.
 */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import { paginationSchema } from '../../render/pagination.js';
import { systemForm, writeForm } from '../../render/write-view.js';

const systemSchema = a.named('SystemFields', systemForm.schema);

/** The view of an account after a write by the node's system key; its `nonce` is the account's own. */
export const systemWritten = (view: JsonSchema): JsonSchema =>
  a.named(`${view.title}BySystem`, a.allOf(view, systemSchema));

const ignored = a.described(a.list(a.text), 'Members of the body that were ignored, with `Prefer: handling=lenient`.');
const writeSchema = a.named('WriteFields', a.object(writeForm.schema.properties, { ignored }));

/** The view with the members of every write's reply, as a part of another schema. */
export const writing = (view: JsonSchema): JsonSchema => a.allOf(view, writeSchema);

/** The view after a write. */
export const written = (view: JsonSchema): JsonSchema =>
  typeof view.title === 'string' ? a.named(`${view.title}Written`, writing(view)) : writing(view);

/** A page of a list: `{ <name>: [...], total, pagination }`. */
export const pageSchema = (name: string, item: JsonSchema, more: a.SchemaMembers = {}): JsonSchema =>
  a.object({
    [name]: a.described(a.list(item), 'The elements of this page.'),
    total: totalSchema,
    ...more,
    pagination: paginationSchema,
  });

const totalSchema = a.described(a.count, 'Number of elements in the whole list.');
