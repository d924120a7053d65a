/**
 * Builds the page that verifies proofs without a node, as one file with script and style inside. Its policy allows these two by
 * their hashes and nothing else, so that it cannot send any request.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const hashOf = (text) => createHash('sha256').update(text).digest('base64');

/** @param oxc options that turn JSX into JavaScript */
export async function verifyPage(oxc) {
  const made = await build({
    configFile: false,
    root: here('.'),
    logLevel: 'warn',
    oxc,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: here('main.tsx'), formats: ['iife'], name: 'verifyProof' },
    },
  });
  const [chunk] = [made].flat()[0].output.filter(({ type }) => type === 'chunk');
  // HTML ends a script at the first `</script`, also inside a string.
  const script = chunk.code.trim().replaceAll('</script', '<\\/script');
  const style = readFileSync(here('page.css'), 'utf8');
  return pageOf(script, style);
}

const pageOf = (script, style) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'sha256-${hashOf(script)}'; style-src 'sha256-${hashOf(style)}'">
    <title>Verify a proof – svc-node</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <h1>Verify a proof</h1>
      <p>Checks the proof of a resource that somebody has downloaded from an svc-node: signatures, hashes, steps and
      anchors. Keep this page: it needs no node and no network, and its policy forbids it every request.</p>
      <div id="app"></div>
      <noscript>This page needs JavaScript.</noscript>
    </main>
    <script>${script}</script>
  </body>
</html>
`;
