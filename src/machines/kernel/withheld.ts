/**
 * What a home may withhold from homes where no party of a resource lives, and the placeholder in their replicas
 * (docs/decisions/0031).
 */
import type { AnyDefinition, AnyResource } from './resource.js';
import { takesConfidential } from './visibility.js';

export { isWithheld, withheldContext } from './visibility.js';

/**
 * Whether a home may withhold the payload of such an event: only some DIDs may read it, or the resource may have become
 * private since. Anything else would hide what everyone may see.
 * @param definition definition of the kind that decided the event
 */
export function mayBeWithheld(definition: AnyDefinition, eventType: string): boolean {
  if (definition.form !== 'machine') return false;
  const { payloadReaders, openPayloads, isVisibleTo } = definition;
  const actions = actionsOf(definition, eventType);
  if (actions.length === 0) return false;
  if (isVisibleTo || (payloadReaders && !openPayloads)) return true;
  return payloadReaders !== undefined && actions.some((action) => takesConfidential(definition, action));
}

/** The actions of a definition that produce an event of this type. */
const actionsOf = (definition: AnyResource, eventType: string): string[] =>
  ['create', ...Object.keys(definition.actions)].filter((name) => eventTypesOf(definition, name).includes(eventType));

/** The types of event that an action of a definition produces. */
export function eventTypesOf(definition: AnyDefinition, action: string): readonly (string | undefined)[] {
  if (definition.form === 'machine' && action === 'create') return [definition.create.event];
  if (!Object.hasOwn(definition.actions, action)) return [];
  const { event, eventInPlace }: { event: string; eventInPlace?: string } = definition.actions[action]!;
  return [event, eventInPlace];
}
