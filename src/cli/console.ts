/** `svc-node console`: opens the node's console in the default browser. */
import { spawn } from 'node:child_process';
import process from 'node:process';
import type { Command } from 'commander';
import { apiRoot } from './api/connection.js';
import { withExamples } from './help.js';
import { note, print, printJson } from './output.js';
import { withProfile } from './profile/defaults.js';
import { type CommonOptions, loadSettings, withCommonOptions } from './settings.js';

interface ConsoleOptions extends CommonOptions {
  readonly url?: string;
  readonly open: boolean;
}

export function addConsole(program: Command): void {
  const command = withCommonOptions(
    program.command('console').description('Open the console of a node in your browser, and print its address.'),
  )
    .option(
      '--url <url>',
      'root of a node elsewhere (SVC_NODE_URL); without it the one that runs on the data directory',
    )
    .option('--no-open', 'print the address, open nothing')
    .action(open);
  withExamples(
    command,
    ['console', 'of the node on this machine'],
    ['console --url https://node.example.org --no-open', 'where there is no desktop'],
  );
}

/** Programs that open a URL; it is passed as an argument, so no shell interprets it. */
const openers: { readonly [platform: string]: readonly [command: string, ...args: string[]] } = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

async function open({ open: isWanted, ...given }: ConsoleOptions): Promise<void> {
  const options = withProfile(given);
  // The URL parser encodes characters that a shell would interpret, so that the address stays one argument.
  const url = new URL('console', `${apiRoot(options, loadSettings(options))}/`).href;
  const opened = isWanted && !given.json && (await isOpened(url));
  if (given.json) return printJson({ url });
  print(url);
  if (isWanted && !opened) note('No browser could be opened here: open the address by hand.');
}

/** Resolves once the opener runs, or has failed. */
function isOpened(url: string): Promise<boolean> {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true, shell: false });
    child.on('error', () => resolve(false));
    child.on('spawn', () => resolve(true));
    child.unref();
  });
}
