/** The operator's URL: which database it means, and how to speak of it without its credentials. */

/** The URL's database, else `svc`, with the network behind it: nothing of one network resolves in another. */
export function databaseOf(url: string, network: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/i.exec(url)?.[1];
  return `${path ? decodeURIComponent(path) : 'svc'}-${network}`;
}

/** Any text in which the URL or its user or password may be repeated. */
export function withoutCredentials(text: string, url: string): string {
  const userInfo = /^mongodb(?:\+srv)?:\/\/([^/?]*)@/i.exec(url)?.[1];
  const secrets = userInfo ? [userInfo, ...userInfo.split(':')] : [];
  const spelled = secrets.flatMap((secret) => [secret, decoded(secret)]).filter((secret) => secret.length > 0);
  // Longest first, so that no part is left of a whole.
  const sorted = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  return sorted.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not well encoded: it is spelled in one way only.
    return text;
  }
}
