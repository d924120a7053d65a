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
function actionsOf({ create, actions }: AnyResource, eventType: string): string[] {
  const found = Object.keys(actions).filter((name) => {
    const { event, eventInPlace } = actions[name]!;
    return event === eventType || eventInPlace === eventType;
  });
  return create.event === eventType ? ['create', ...found] : found;
}
