/** Checks a Dockerfile: its form, and its agreement with the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Copy, DockerfileParser, type Healthcheck, type Instruction } from 'dockerfile-ast';
import { defaultPort, flawsOfSettings, inCheckout, isHealthPath, packageJson } from './facts.js';

const keywords = [
  ...['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE'],
  ...['HEALTHCHECK', 'STOPSIGNAL', 'ENTRYPOINT', 'CMD', 'ARG', 'LABEL', 'SHELL'],
];

type Stage = readonly Instruction[];

const keyword = (instruction: Instruction): string => instruction.getKeyword();
const text = (instruction: Instruction): string => instruction.getArgumentsContent() ?? '';
const words = (instruction: Instruction): string[] => instruction.getExpandedArguments().map((each) => each.getValue());

function stagesOf(source: string): Stage[] {
  const stages: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(source).getInstructions()) {
    if (keyword(instruction) === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  return stages;
}

const of = (stage: Stage, name: string): Instruction[] => stage.filter((each) => keyword(each) === name);

/** Environment variables of the last stage. */
export function environmentOf(source: string): { readonly [name: string]: string } {
  const pairs = of(stagesOf(source).at(-1) ?? [], 'ENV').flatMap(words);
  return Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}

/** Command and arguments of the health check; undefined if there is none in list form. */
export function healthCommandOf(source: string): string[] | undefined {
  const [check] = of(stagesOf(source).at(-1) ?? [], 'HEALTHCHECK') as Healthcheck[];
  const [, list] = /\bCMD\s+(\[.*\])\s*$/s.exec(check ? text(check) : '') ?? [];
  try {
    return list === undefined ? undefined : (JSON.parse(list) as string[]);
  } catch {
    return undefined; // looks like a list but is not valid JSON, and so would run in a shell
  }
}

/** @param ignored whether .dockerignore excludes a path from the build */
export function flawsOfDockerfile(source: string, ignored: (path: string) => boolean): string[] {
  const stages = stagesOf(source);
  const [build, last] = [stages[0] ?? [], stages.at(-1) ?? []];
  if (stages.length < 2) return ['the image is not made in stages: the compiler would be in it'];
  const strange = stages.flat().filter((each) => !keywords.includes(keyword(each)));
  const labelled = of(last, 'LABEL').map(text).join('\n');
  const unlabelled = labels.filter((name) => !labelled.includes(`org.opencontainers.image.${name}=`));
  return [
    ...unlabelled.map((name) => `no label org.opencontainers.image.${name}`),
    ...strange.map((each) => `${keyword(each)} is no instruction that is known here`),
    ...stages.flatMap((stage) => flawsOfBase(text(stage[0]!))),
    ...flawsOfContents(build, last, ignored),
    ...flawsOfUser(last),
    ...flawsOfService(source, last),
  ];
}

function flawsOfBase(from: string): string[] {
  const [, major, variant] = /^node:(\d+)-(\S+)/.exec(from) ?? [];
  if (!major || Number(major) < 20 || Number(major) > 24) return [`${from}: not a Node.js that the package is for`];
  return /^(bookworm|trixie)-slim$/.test(variant ?? '') ? [] : [`${from}: not a slim Debian`];
}

/** The folders and files that the published files are built from. */
const built = ['src', 'packages', 'console', 'package-lock.json', 'examples/verifier', 'clients/python'];
/** Scripts that the build runs, and the files that they read. */
const scripts = [
  ...[...readFileSync('scripts/setup.mjs', 'utf8').matchAll(/'(scripts\/[\w-]+\.\w+)'/g)].map(([, file]) => file!),
  'scripts/setup.mjs',
];
/** The guide has a page for each. */
const documents = [...readdirSync('.').filter((name) => name.endsWith('.md')), 'LICENSE'];
/** Files that the guide's pages link to: each has a page, too. */
const linked = [
  ...documents,
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
]
  .filter((file) => file.endsWith('.md'))
  .flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\]\((?!\w+:)([^\s)#]+)[^)]*\)/g)].map(([, to]) =>
      join(dirname(file), to!),
    ),
  );
/** Labels by which a registry shows where an image comes from. */
const labels = ['title', 'description', 'licenses', 'version', 'revision', 'source', 'created'];

function flawsOfContents(build: Stage, last: Stage, ignored: (path: string) => boolean): string[] {
  const copies = of(build, 'COPY').flatMap((each) => words(each).slice(0, -1));
  const missing = copies.filter((path) => !inCheckout(path) || ignored(path));
  const wanted = [
    ...packageJson.files.filter((path) => !path.startsWith('dist')),
    ...built,
    ...new Set(scripts),
    ...documents,
  ];
  const isCopied = (path: string) => copies.some((copied) => path === copied || path.startsWith(`${copied}/`));
  const forgotten = [
    ...wanted.filter((path) => !copies.includes(path)),
    ...[...new Set(linked)].filter((path) => !isCopied(path)),
  ];
  const runs = of(build, 'RUN').map(text).join('\n');
  const taken = of(last, 'COPY') as Copy[];
  const [packed, production] = [/\bnpm pack\b/, /\bnpm ci\b[^\n]*--omit=dev\b/];
  return [
    ...missing.map((path) => `COPY ${path}: it is not there, or .dockerignore keeps it out`),
    ...forgotten.map((path) => `${path} is not copied, and the package needs it`),
    ...(packed.test(runs) ? [] : ['what is installed is not what npm pack makes of the package’s files']),
    ...(production.test(runs) ? [] : ['the dependencies are not installed without those for developers']),
    ...(taken.every((each) => each.getFlags().some((flag) => flag.getName() === 'from')) && taken.length > 0
      ? []
      : ['the last stage takes files from elsewhere than an earlier stage']),
    ...(of(last, 'RUN').some((each) => /\bnpm\b|\bapt/.test(text(each))) ? ['the last stage installs something'] : []),
  ];
}

function flawsOfUser(last: Stage): string[] {
  const user = of(last, 'USER').map(text).at(-1);
  if (user === undefined || /^(root|0)(:|$)/.test(user)) return ['it runs as root'];
  return [];
}

function flawsOfService(source: string, last: Stage): string[] {
  const settings = environmentOf(source);
  const { SVC_PORT: port, SVC_DATA_DIR: dataDir = '' } = settings;
  const check = healthCommandOf(source)?.join(' ') ?? '';
  const [, path = ''] = /'(\/[a-z]+)'/.exec(check) ?? [];
  const [bin, target] = Object.entries(packageJson.bin)[0]!;
  const all = last.map(text).join('\n');
  const entry = of(last, 'ENTRYPOINT').map(text).at(-1);
  return [
    ...flawsOfSettings({ ...settings, SVC_TRUSTED_PROXIES: '10.0.0.1' }),
    ...(port === defaultPort ? [] : [`SVC_PORT is ${port}, and the node's own is ${defaultPort}`]),
    ...(of(last, 'EXPOSE').map(text).join() === port ? [] : ['EXPOSE is not SVC_PORT']),
    ...(of(last, 'VOLUME').map(text).join() === dataDir ? [] : ['VOLUME is not SVC_DATA_DIR']),
    ...(new RegExp(`install -d .*-m 0700 .*${dataDir}(\\s|$)`).test(all) ? [] : ['the data directory is not made']),
    ...(isHealthPath(path) && check.includes('process.env.SVC_PORT') ? [] : ['HEALTHCHECK asks for no health of ours']),
    ...(all.includes(`/app/${target.replace(/^\.\//, '')} /usr/local/bin/${bin}`) ? [] : [`${bin} is not on the path`]),
    ...(entry === `["${bin}"]` && of(last, 'CMD').map(text).at(-1) === '["start"]' ? [] : ['it does not run a node']),
  ];
}
