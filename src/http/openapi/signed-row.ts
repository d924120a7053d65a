/**
 * What a signed write asks for: what a client must know to tell whether it signs what it asked for. The client has these rows
 * in a generated table; the node describes its own in `x-signs`, also those of kinds that no client knows.
 */
import type { Json } from '../../core/canonical.js';
import { escaped } from '../../core/leaf.js';
import type { Scalar } from '../../core/schema/scalar.js';
import { hasSharedRoute } from '../../machines/dispute/order-actions.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import { actionOf, isClosed } from '../../machines/kernel/visibility.js';
import { parametersOf } from '../server/paths.js';
import type { SubmittedWrite } from '../server/route.js';

/** The members of a row are those of `SignedAction` in packages/client/src/signing/actions.ts. */
export function signedRowOf(
  path: string,
  { kind, action }: Pick<SubmittedWrite, 'kind' | 'action'>,
  { definitions }: Pick<Catalogue, 'definitions'>,
) {
  const definition = definitions[kind]!;
  const { input: scalar, adds = {}, makes, idFields, event, eventInPlace } = actionOf(definition, action)!;
  const input = Object.keys(scalar.fields ?? {});
  const places = [...new Set(leafPlaces(scalar))];
  const plain = plainPlaces(scalar);
  const leaves = places.length > 0 && { leaves: places, ...(plain.length > 0 && { plain }) };
  if (definition.form !== 'machine') {
    const isSigners = kind === 'account' || kind === 'identity';
    return { kind, action, ...(isSigners && { id: 'signer', type: event }), input, ...leaves };
  }
  const { route, create } = definition;
  const signature = definition.attests?.[action] ? ['signature'] : [];
  const made = [...Object.keys(adds).filter((name) => ['salt', 'networkArbiter'].includes(name)), ...signature];
  const hidden = input.filter((name) => scalar.fields![name]!.confidential);
  const confidential = isClosed(definition) ? 'all' : hidden.length > 0 && hidden;
  const isNamed = parametersOf(path).includes(route.param);
  return {
    ...{ kind, action, id: action === 'create' ? create.idField : route.param },
    ...(isNamed && !hasSharedRoute(definition, action) ? {} : { prefix: route.idPrefix }),
    ...(makes && { makes }),
    ...(idFields && { idFields }),
    input: [...input, ...Object.keys(adds), ...signature],
    ...(made.length > 0 && { made }),
    ...leaves,
    ...(confidential && { confidential }),
    ...(made.length === 0 && !eventInPlace && { type: event }),
  };
}

/** Values by which scalars with alternatives choose. */
const choices: readonly Json[] = ['text', {}];

function leafPlaces(scalar: Scalar<unknown>, at = ''): readonly string[] {
  const { choose, element, fields = {}, leaf } = scalar;
  if (choose) return choices.flatMap((value) => leafPlaces(choose(value), at));
  if (leaf === 'value') return [at];
  const inner = Object.entries(fields).flatMap(([name, field]) => leafPlaces(field, `${at}/${escaped(name)}`));
  return [...(leaf ? [`${at}/*`] : []), ...inner, ...(element ? leafPlaces(element, `${at}/*`) : [])];
}

/** Known members of objects whose others are leaves. */
function plainPlaces({ choose, element, fields = {}, leaf }: Scalar<unknown>, at = ''): readonly string[] {
  if (choose) return choices.flatMap((value) => plainPlaces(choose(value), at));
  const inner = Object.entries(fields).flatMap(([name, field]) => {
    const place = `${at}/${escaped(name)}`;
    return leaf === 'others' && leafPlaces(field).length === 0 ? [place] : plainPlaces(field, place);
  });
  return [...inner, ...(element ? plainPlaces(element, `${at}/*`) : [])];
}
