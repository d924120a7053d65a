/** How a resource of another home is spelled (docs/reference/other-homes.md#spelling). */

const same = 'did:svc:z6Mk';
const tagLength = 8;

/** The id as it appears in an address and in a request. A whole DID after the `~` is never ambiguous. */
export const spelled = (id: string, home: string | undefined): string => (home === undefined ? id : `${id}~${home}`);

/** A resource's id without its home. */
export const bareId = (spelling: string): string => spelling.split('~')[0] ?? spelling;

/** The short name of a home: the first characters of its DID that differ from other DIDs. */
export const tagOf = (home: string): string => home.slice(same.length, same.length + tagLength);
