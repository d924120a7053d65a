/**
 * The pages that explain errors to people (`/errors`): HTML and a style of our own, no external resources.
 */
import type { Reply } from '../server/route.js';

/** The content security policy allows only what this node serves, and no inline code. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A reply with a file that changes only with releases. */
export const asset = (type: string, chunks: string, etag: string): Reply => ({
  status: 200,
  headers: { ETag: `"${etag}"`, 'Cache-Control': 'no-cache' },
  stream: { type: `${type}; charset=utf-8`, chunks: Buffer.from(chunks), shared: true },
});

export interface HtmlPage {
  readonly title: string;
  /** HTML in which all external text is escaped. */
  readonly body: string;
}

export function page({ title, body }: HtmlPage): Reply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – svc-node</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
${body}
</body>
</html>
`;
  return {
    status: 200,
    headers: { 'Content-Security-Policy': pagePolicy, Vary: 'Accept' },
    stream: { type: 'text/html; charset=utf-8', chunks: html },
  };
}

const entities: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character]!);

/** Escapes the text, and marks text between backquotes as code. */
export const withCode = (text: string): string => escapeHtml(text).replace(/`([^`]*)`/g, '<code>$1</code>');

export const style = `:root {
  --back: #fff; --text: #1b1f24; --line: #d1d9e0; --soft: #f6f8fa; --accent: #0a57b5;
}
@media (prefers-color-scheme: dark) {
  :root { --back: #0d1117; --text: #e6edf3; --line: #30363d; --soft: #161b22; --accent: #6cb0ff; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem;
  font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
}
a { color: var(--accent); }
h1 { font-size: 1.6rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
code { font: .875rem/1.45 ui-monospace, monospace; }
h1 code { font-size: inherit; }
code { background: var(--soft); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
pre { background: var(--soft); padding: .75rem; border-radius: 4px; overflow-x: auto; }
pre code { padding: 0; }
td:first-child code { overflow-wrap: normal; white-space: nowrap; }
td:last-child { min-width: 12rem; }
td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
`;
