/**
 * Serves the console (docs/reference/access.md#remote-callers-without-a-key) and the API page. The pages themselves are
 * never cached; the files that they load have their hash in the name and are cached forever.
 */
import { refuse } from '../../core/refusal.js';
import { pagePolicy } from '../render/pages.js';
import type { Call, Route } from '../server/route.js';
import { type ConsoleFiles, codedFor, readConsole } from './console-files.js';

/** The API page shows Markdown as markup, which Swagger UI sanitises. */
const docsPolicy = `${pagePolicy}; img-src 'self' data:`;
/** In the console, text never becomes markup. */
const consolePolicy = `${docsPolicy}; require-trusted-types-for 'script'; trusted-types 'none'`;

const asked = 'no-cache';
const kept = 'public, max-age=31536000, immutable';
const open = { method: 'GET', tag: 'System', scope: 'read', open: true } as const;

/** @param read returns the files; called once, at the first request */
export function consoleRoutes(read: () => Promise<ConsoleFiles> = () => readConsole()): Route[] {
  let files: Promise<ConsoleFiles> | undefined;

  async function serve(call: Call, path: string, cache: string, policy: string) {
    files ??= read();
    const found = await files;
    const file = found.get(path);
    if (!file) {
      return refuse('NOT_FOUND', found.size === 0 ? 'the console was not built: npm run build' : 'no such file');
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
  }

  return [
    {
      ...open,
      path: '/docs',
      name: 'docs',
      summary: 'This API as a page.',
      success: { status: 200, media: ['text/html'], description: 'as the summary says' },
      handle: (call) => serve(call, 'docs.html', asked, docsPolicy),
    },
    {
      ...open,
      path: '/console',
      name: 'console',
      summary: 'The console: a page that reads this API.',
      success: { status: 200, media: ['text/html'], description: 'the page' },
      handle: (call) => serve(call, 'index.html', asked, consolePolicy),
    },
    {
      ...open,
      path: '/console/assets/:file',
      name: 'consoleFile',
      summary: 'A file of the console.',
      success: {
        status: 200,
        media: ['text/javascript', 'text/css', 'image/svg+xml'],
        description: 'the file',
      },
      handle: (call) => serve(call, `assets/${call.params.file}`, kept, consolePolicy),
    },
  ];
}
