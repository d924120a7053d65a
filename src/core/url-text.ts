/** Handles URLs as texts, because MongoDB connection strings with several hosts are not valid URLs. */

export function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

/** The host of a URL for messages: without user, password and options. */
export function shownUrl(url: string): string {
  const hosts = Math.max(url.indexOf('//') + 2, url.lastIndexOf('@') + 1);
  return `${url.slice(0, url.indexOf('//') + 2)}${url.slice(hosts)}`.split('?', 1)[0]!;
}
