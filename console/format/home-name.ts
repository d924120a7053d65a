/** The short name of a home: the first characters of its DID that differ from other DIDs. */
export const homeName = (did: string): string => did.slice('did:svc:z6Mk'.length).slice(0, 8);
