/** How a resource of another home is spelled (docs/reference/other-homes.md#spelling). */

const same = 'did:svc:z6Mk';
const tagLength = 8;

/** The id as an address and a request name it. A whole DID behind the `~` is never ambiguous. */
export const spelled = (id: string, home: string | undefined): string => (home === undefined ? id : `${id}~${home}`);

/** A resource's id without its home. */
export const bareId = (spelling: string): string => spelling.split('~')[0] ?? spelling;

/** The short name of a home. */
export const tagOf = (home: string): string => home.slice(same.length, same.length + tagLength);
