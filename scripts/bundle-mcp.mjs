/**
 * Packs `@svc-node/mcp` into one file, without dependencies but the native Argon2id: the MCP server with the SDK, the client, and
 * the commands that it takes of the command line.
 */
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { notices } from './notices.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const dist = path.join(root, 'packages', 'mcp', 'dist');
const file = path.join(dist, 'svc-node-mcp.js');
const { version, engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** package.json and files of the node are not there. */
const withoutFiles = {
  name: 'without-files-of-the-node',
  load: {
    filter: { id: /\/dist\/src\/core\/version\.js$/ },
    handler: () =>
      `export const version = '${version}';\nexport const engines = ${JSON.stringify(engines)};\nexport const packageFile = (file) => new URL('file:///no/' + file);`,
  },
};

rmSync(dist, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: path.join(root, 'dist', 'src', 'cli', 'mcp-program.js'),
  external: [/^@node-rs\//, /^libsql$/, /^sodium-native$/],
  plugins: [withoutFiles, notices],
});
await bundle.write({
  ...{ file, format: 'es', codeSplitting: false, banner: '#!/usr/bin/env node' },
  minify: { compress: true, mangle: false, codegen: true },
});
await bundle.close();
chmodSync(file, 0o755);
