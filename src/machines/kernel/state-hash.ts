/** What `stateHash` of a version covers (docs/reference/journal-format.md#versions). */
import { canonical, sha256Hex } from '../../core/canonical.js';
import { saltFor, sealedHash } from '../../core/sealed-hash.js';
import type { AnyDefinition } from './definition.js';
import type { Resource } from './resource.js';
import { dividedContext } from './visibility.js';

type Hashed = Pick<Resource, 'kind' | 'id' | 'version' | 'state' | 'context'>;

/** The part of an entry's salt that the readers of this version get. */
export const versionPart = ({ kind, id, version }: Pick<Resource, 'kind' | 'id' | 'version'>): string =>
  `${kind}/${id}@${version}`;

/**
 * @param salt the entry's, hex; called only if the version has confidential members
 * @param contextText the RFC 8785 form of the context, if known
 */
export function stateHashOf(
  definition: AnyDefinition | undefined,
  resource: Hashed,
  salt: () => string,
  contextText?: string,
): string {
  const { context, state } = resource;
  const { open, confidential } = dividedContext(definition, context);
  const sealed = confidential ? sealedHash(saltFor(salt(), versionPart(resource)), confidential) : null;
  const openText = confidential || contextText === undefined ? canonical(open) : contextText;
  return sha256Hex(`{"context":${openText},"sealed":${canonical(sealed)},"state":${canonical(state)}}`);
}
