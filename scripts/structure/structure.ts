/**
 * The structure of the code in figures: layers, circles, duplicate type names, lines, and how much of it one request
 * runs through. `npm run structure` prints them; `--json` for programs, `--files` lists the files of each request.
 */
import { pathsOf } from './requests.js';
import { sourceStructure } from './sources.js';

const given = new Set(process.argv.slice(2));
const sources = sourceStructure(['console', 'test', 'scripts']);
const paths = {
  'without settlement': await pathsOf('none'),
  'with settlement': await pathsOf('embedded'),
};

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const row = (name: string, value: string | number): void => print(`  ${name.padEnd(46)} ${value}`);

if (given.has('--json')) print(JSON.stringify({ sources, paths }, null, 2));
else {
  print('Layers');
  row('layers', sources.layers);
  row('longest chain of imports between folders', sources.floors);
  row('imports between folders (arrows)', sources.arrows);
  row('imports of a layer above', sources.up.length);
  for (const each of sources.up) print(`    ${each}`);
  row('circles between files', sources.circles.length);
  for (const each of sources.circles) print(`    ${each.join(', ')}`);
  row('files at the root of src', sources.looseFiles.join(', '));
  print('\nNames');
  row('type names declared in several files', sources.duplicateTypes.length);
  if (sources.duplicateTypes.length > 0) print(`    ${sources.duplicateTypes.join(', ')}`);
  print('\nPath of a request, from arrival to reply');
  for (const [how, each] of Object.entries(paths)) {
    print(`  ${how}`);
    for (const { request, files, functions } of each) {
      print(`    ${request.padEnd(58)} ${files.length} files, ${functions} functions`);
      if (given.has('--files')) for (const file of files) print(`      ${file}`);
    }
  }
  print('\nLines');
  row('files in src and packages', sources.files);
  row('median file', sources.medianLines);
  row('longest file', `${sources.longest[1]}, ${sources.longest[0]}`);
  for (const [folder, lines, files] of sources.lines) row(folder, `${lines} in ${files} files`);
}
process.exit();
