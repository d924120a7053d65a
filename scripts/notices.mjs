/** Lists the packages that a bundle contains, each with its licence, in a file beside it: their licences ask for that. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const isNotice = /^(licen[cs]e|copying|notice)/i;

/** The folder of the package of a module; undefined for one of ours. */
const packageOf = (id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => isNotice.test(file));
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return [`## ${name} ${version} (${license})`, ...texts].join('\n\n');
}

export const notices = {
  name: 'notices',
  generateBundle(_options, bundle) {
    const ids = Object.values(bundle).flatMap(({ modules = {} }) => Object.keys(modules));
    const folders = [...new Set(ids.map(packageOf))].filter((folder) => folder && existsSync(folder));
    // npm may have installed a version several times.
    const each = [...new Set(folders.map(noticeOf))].sort();
    const source = `# Licences of what is bundled\n\n${each.join('\n\n')}\n`;
    this.emitFile({ type: 'asset', fileName: 'licenses.md', source });
  },
};
