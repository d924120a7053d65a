/** The operator's URL: its database name, and messages without its credentials. */

/** The URL's database, else `svc`, with the network appended: networks never share data. */
export function databaseOf(url: string, network: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/i.exec(url)?.[1];
  return `${path ? decodeURIComponent(path) : 'svc'}-${network}`;
}

/** Removes the URL, its user and its password from a text. */
export function withoutCredentials(text: string, url: string): string {
  const userInfo = /^mongodb(?:\+srv)?:\/\/([^/?]*)@/i.exec(url)?.[1];
  const secrets = userInfo ? [userInfo, ...userInfo.split(':')] : [];
  const spelled = secrets.flatMap((secret) => [secret, decoded(secret)]).filter((secret) => secret.length > 0);
  // Longest first, so that replacing a shorter form leaves no part of a longer one.
  const sorted = [...new Set(spelled)].sort((a, b) => b.length - a.length);
  return sorted.reduce((clean, secret) => clean.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // The URL is badly encoded, so there are no other forms to replace.
    return text;
  }
}
