/**
 * Serves the console (docs/reference/access.md#remote-callers-without-a-key) and the guide, which has the pages of the API. The pages themselves are
 * never cached; the files that they load have their hash in the name and are cached forever.
 */
import { refuse } from '../../core/refusal.js';
import type { Call, Route } from '../server/route.js';
import { builtGuide, type ConsoleFiles, codedFor, readConsole } from './console-files.js';

/** Pages load only what this node serves, and no inline code. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** Pages of the guide show drawings, which have their style inside. */
const guidePolicy = `${pagePolicy}; img-src 'self'`;
const drawingPolicy = "default-src 'none'; style-src 'unsafe-inline'";
/** In the console, text never becomes markup. */
const consolePolicy = `${pagePolicy}; img-src 'self' data:; require-trusted-types-for 'script'; trusted-types 'none'`;

/** What pages of the guide load. */
const isLoaded = /\.(css|mjs|png)$/;

const asked = 'no-cache';
const kept = 'public, max-age=31536000, immutable';
const open = { method: 'GET', tag: 'System', scope: 'read', open: true } as const;

type ReadFiles = () => Promise<ConsoleFiles>;

/**
 * Replies with built files. @param read called once, at the first request @param what name of the files, for the error
 * if they were not built
 */
function serving(read: ReadFiles, what: string) {
  let files: Promise<ConsoleFiles> | undefined;
  return async (call: Call, path: string, cache: string, policy: string) => {
    files ??= read();
    const found = await files;
    const file = found.get(path);
    if (!file) {
      return refuse('NOT_FOUND', found.size === 0 ? `the ${what} was not built: npm run build` : 'no such file');
    }
    const { coding, bytes } = codedFor(file, call.header('accept-encoding'));
    return {
      status: 200,
      headers: {
        'Content-Security-Policy': policy,
        'Cache-Control': cache,
        ETag: `"${file.etag}${coding === undefined ? '' : `-${coding}`}"`,
        Vary: 'Accept-Encoding',
        ...(coding === undefined ? {} : { 'Content-Encoding': coding }),
      },
      stream: { type: file.type, chunks: bytes, shared: true },
    };
  };
}

/** The documents, and what their pages load. */
export function guideRoutes(read: ReadFiles = () => readConsole(builtGuide)): Route[] {
  const serve = serving(read, 'guide');
  return [
    {
      ...open,
      path: '/docs',
      name: 'docs',
      summary: 'Show this API as a page.',
      success: { status: 200, media: ['text/html'], description: 'the page' },
      handle: (call) => serve(call, 'docs.html', asked, guidePolicy),
    },
    {
      ...open,
      path: '/guide',
      name: 'guide',
      summary: 'Show the documentation of this release.',
      success: { status: 200, media: ['text/html'], description: 'the page' },
      handle: (call) => serve(call, 'index.html', asked, guidePolicy),
    },
    {
      ...open,
      path: '/guide/:page',
      name: 'guidePage',
      summary: 'Show one page of the documentation, or a file that it loads.',
      success: {
        status: 200,
        media: ['text/html', 'text/css', 'text/javascript', 'image/svg+xml', 'image/png'],
        description: 'the page',
      },
      handle: (call) => {
        const page = (call.params.page ?? '').toLowerCase();
        if (page.endsWith('.svg')) return serve(call, page, asked, drawingPolicy);
        return serve(call, isLoaded.test(page) ? page : `${page}.html`, asked, guidePolicy);
      },
    },
  ];
}

/** @param read returns the files; called once, at the first request */
export function consoleRoutes(read: ReadFiles = () => readConsole()): Route[] {
  const serve = serving(read, 'console');
  return [
    {
      ...open,
      path: '/console',
      name: 'console',
      summary: 'Show the console, a page that uses this API.',
      success: { status: 200, media: ['text/html'], description: 'the page' },
      handle: (call) => serve(call, 'index.html', asked, consolePolicy),
    },
    {
      ...open,
      path: '/console/assets/:file',
      name: 'consoleFile',
      summary: 'Get a file of the console.',
      success: {
        status: 200,
        media: ['text/javascript', 'text/css', 'image/svg+xml'],
        description: 'the file',
      },
      handle: (call) => serve(call, `assets/${call.params.file}`, kept, consolePolicy),
    },
  ];
}
