/** Checks a compose file: its form, its internal references, and its agreement with the code. */
import ipaddr from 'ipaddr.js';
import { type Document, parseDocument } from 'yaml';
import { bounds } from '../../src/core/bounds.js';
import { databaseOf } from '../../src/store/mongo/url.js';
import { defaultPort, fileVariables, flawsOfSettings, isHealthPath, packageJson } from './facts.js';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly user?: string;
  readonly privileged?: boolean;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: { readonly [name: string]: string };
  readonly secrets?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | { readonly [name: string]: { readonly ipv4_address?: string } };
  readonly ports?: readonly string[];
  readonly depends_on?: readonly string[] | { readonly [name: string]: { readonly condition: string } };
  readonly healthcheck?: object;
  readonly stop_grace_period?: string;
}

interface Named<T> {
  readonly [name: string]: T;
}

interface Compose {
  readonly services: Named<Service>;
  readonly configs?: Named<{ readonly content?: string; readonly file?: string }>;
  readonly secrets?: Named<{ readonly file: string }>;
  readonly networks?: Named<{ readonly ipam?: { readonly config: readonly { subnet: string; ip_range: string }[] } }>;
  readonly volumes?: Named<object>;
}

/** Values that an operator writes into .env. */
const answers: Named<string> = {
  SVC_DOMAIN: 'node.example.org',
  SVC_RPC_URL: 'https://rpc.example.org',
  SVC_CHAIN_ID: '11155111',
};

/** Replaces `${NAME}`, `${NAME:-default}`, `${NAME:?}` and `$$` as compose does. */
function interpolated(source: string, unanswered: Set<string>): string {
  return source.replace(/\$(?:\$|\{([A-Z_]+)(?::-([^}]*)|:\?[^}]*)?\})/g, (all, name?: string, otherwise?: string) => {
    if (all === '$$') return '$';
    const value = answers[name!] ?? otherwise;
    if (value === undefined) unanswered.add(name!);
    return value ?? '';
  });
}

export function flawsOfCompose(source: string): string[] {
  const unanswered = new Set<string>();
  const document = parseDocument(interpolated(source, unanswered), { merge: true, prettyErrors: true, strict: true });
  const faults = [...document.errors, ...document.warnings].map(({ message }) => message);
  if (faults.length > 0) return faults;
  const head = source.slice(0, source.indexOf('\nname:'));
  const untold = Object.keys(answers).filter((name) => !head.includes(name));
  const compose = composeOf(document);
  if (typeof compose === 'string') return [compose];
  return [
    ...[...unanswered].map((name) => `\${${name}} has neither a default nor a place in .env`),
    ...untold.map((name) => `.env needs ${name}, and the head of the file does not say so`),
    ...flawsOfNames(compose),
    ...flawsOfNodes(compose),
    ...flawsOfProxy(compose),
    ...flawsOfDatabase(compose, /^#\s+(mongodb:\/\/\S+)$/m.exec(head)?.[1] ?? ''),
  ];
}

/** The parsed file, or the reason why it can't be parsed. */
function composeOf(document: Document): Compose | string {
  try {
    return document.toJS() as Compose;
  } catch (error) {
    return (error as Error).message; // an alias or merge key without its anchor
  }
}

const networksOf = ({ networks = [] }: Service): string[] =>
  Array.isArray(networks) ? [...networks] : Object.keys(networks);

const entriesOf = ({ services }: Compose): [string, Service][] => Object.entries(services);
const nodesOf = (compose: Compose) => entriesOf(compose).filter(([, { build }]) => build !== undefined);
const serversOf = (compose: Compose) => entriesOf(compose).filter(([, { command }]) => command?.[0] === 'mongod');

/** Every name that is used is declared, and every declared one is used. */
function flawsOfNames(compose: Compose): string[] {
  const used = (of: (service: Service) => readonly string[]) => new Set(entriesOf(compose).flatMap(([, s]) => of(s)));
  const volumes = used(({ volumes: all = [] }) => all.map((each) => each.split(':')[0]!));
  const sorts: readonly (readonly [string, ReadonlySet<string>, object | undefined])[] = [
    ['volume', volumes, compose.volumes],
    ['network', used(networksOf), compose.networks],
    ['secret', used(({ secrets = [] }) => secrets), compose.secrets],
    ['config', used(({ configs = [] }) => configs.map(({ source }) => source)), compose.configs],
  ];
  const flaws = sorts.flatMap(([sort, names, declared = {}]) => [
    ...[...names].filter((name) => !(name in declared)).map((name) => `${sort} ${name} is not declared`),
    ...Object.keys(declared)
      .filter((name) => !names.has(name))
      .map((name) => `${sort} ${name} is unused`),
  ]);
  return [...flaws, ...entriesOf(compose).flatMap(([name, service]) => flawsOfWaiting(name, service, compose))];
}

function flawsOfWaiting(name: string, { depends_on: waits = [] }: Service, { services }: Compose): string[] {
  const conditions = Array.isArray(waits)
    ? waits.map((other) => [other, 'service_started'] as const)
    : Object.entries(waits).map(([other, { condition }]) => [other, condition] as const);
  return conditions.flatMap(([other, condition]) => {
    const awaited = services[other];
    if (!awaited) return [`${name} waits for ${other}, which is no service`];
    // A node's health check is in its image.
    if (condition === 'service_healthy' && !awaited.healthcheck && !awaited.build)
      return [`${name} waits for the health of ${other}, which has no check`];
    return /^service_(started|healthy|completed_successfully)$/.test(condition) ? [] : [`${condition} is no condition`];
  });
}

function flawsOfNodes(compose: Compose): string[] {
  const nodes = nodesOf(compose);
  const ofEach = nodes.flatMap(([name, node]) => flawsOfNode(node).map((flaw) => `${name}: ${flaw}`));
  const homes = nodes.map(([, { volumes = [] }]) => volumes.find((each) => each.endsWith(':/data')));
  const keystores = new Set(
    nodes.map(([, { volumes = [] }]) => volumes.find((each) => each.endsWith(':/data/keystore'))),
  );
  return [
    ...(nodes.length === 3 ? [] : [`there are ${nodes.length} nodes`]),
    ...ofEach,
    ...(new Set(homes).size === nodes.length && !homes.includes(undefined) ? [] : ['nodes share a data directory']),
    ...(keystores.size === 1 && !keystores.has(undefined) ? [] : ['nodes have no keystore in common']),
  ];
}

function flawsOfNode(node: Service): string[] {
  const { environment = {}, secrets = [], configs = [], image, stop_grace_period: grace = '10s' } = node;
  const files = fileVariables.filter((name) => environment[name] !== undefined);
  const missing = files.filter((name) => !secrets.some((secret) => environment[name] === `/run/secrets/${secret}`));
  const seconds = Number(/^(\d+)s$/.exec(grace)?.[1]);
  return [
    ...flawsOfSettings(environment),
    ...missing.map((name) => `${name} names ${environment[name]}, which is no secret of it`),
    ...(configs.some(({ target }) => target === environment.SVC_CONTRACTS) ? [] : ['its SVC_CONTRACTS is not there']),
    ...(files.includes('SVC_PASSPHRASE_FILE') ? [] : ['it has no passphrase']),
    ...(image?.endsWith(`:${packageJson.version}`)
      ? []
      : [`its image is ${image}, the package ${packageJson.version}`]),
    ...(seconds * 1_000 > bounds.shutdownMs ? [] : [`it is killed ${grace} after it was asked to stop`]),
    ...(node.privileged || node.user !== undefined ? ['it runs as another user than its image says'] : []),
    ...(node.ports ? ['it is published next to the proxy'] : []),
    ...('SVC_PORT' in environment ? ['SVC_PORT: the health check and the proxy know the image’s'] : []),
  ];
}

function flawsOfProxy(compose: Compose): string[] {
  const [name, proxy] = entriesOf(compose).find(([, { ports }]) => ports !== undefined) ?? [];
  if (!name || !proxy) return ['nothing is published'];
  const [config] = proxy.configs ?? [];
  const text = compose.configs?.[config?.source ?? '']?.content ?? '';
  const [, upstreams = ''] = /reverse_proxy ([^{\n]+)/.exec(text) ?? [];
  const nodes = nodesOf(compose).map(([node]) => `${node}:${defaultPort}`);
  const health = /health_uri (\S+)/.exec(text)?.[1] ?? '';
  const named = [...text.matchAll(/\{\$([A-Z_]+)\}/g)].map(([, variable]) => variable!);
  return [
    ...(upstreams.trim().split(/\s+/).sort().join() === nodes.sort().join()
      ? []
      : ['the proxy has other nodes behind it']),
    ...(isHealthPath(health) ? [] : [`the proxy asks ${health || 'nothing'} for the health of a node`]),
    ...named
      .filter((variable) => !(variable in (proxy.environment ?? {})))
      .map((each) => `the proxy is not told ${each}`),
    ...flawsOfTrust(compose, proxy),
  ];
}

/** Nodes must see the proxy under the one address that they trust. */
function flawsOfTrust(compose: Compose, proxy: Service): string[] {
  const own = networksOf(proxy);
  return nodesOf(compose).flatMap(([name, node]) => {
    const shared = networksOf(node).filter((network) => own.includes(network));
    if (shared.length !== 1) return [`${name} shares ${shared.length} networks with the proxy`];
    const address = (proxy.networks as Named<{ ipv4_address?: string }>)[shared[0]!]?.ipv4_address ?? '';
    const [range] = compose.networks?.[shared[0]!]?.ipam?.config ?? [];
    if (!range || !ipaddr.isValid(address) || !within(address, range.subnet) || within(address, range.ip_range))
      return [`the proxy has no address of its own on ${shared[0]}`];
    const trusted = node.environment?.SVC_TRUSTED_PROXIES?.split(',') ?? [];
    return trusted.includes(address) ? [] : [`${name} does not trust the proxy at ${address}`];
  });
}

const within = (address: string, range: string): boolean =>
  ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parseCIDR(range));

/** @param url the content of the secret SVC_STORE_FILE, as the head of the file states it */
function flawsOfDatabase(compose: Compose, url: string): string[] {
  const servers = serversOf(compose);
  const hosts = servers.map(([name]) => `${name}:27017`).sort();
  const [init] = entriesOf(compose).filter(([, { entrypoint }]) => entrypoint?.[0] === 'mongosh');
  const script = compose.configs?.[init?.[1].configs?.[0]?.source ?? '']?.content ?? '';
  const [, first] = /hosts = \[(.*)\]/.exec(script) ?? [];
  const initiated = (first ?? '').replaceAll(/[' ]/g, '').split(',').sort();
  const sets = new Set(servers.map(([, { command = [] }]) => command[command.indexOf('--replSet') + 1]));
  const [set] = sets;
  const nodes = nodesOf(compose).flatMap(([name, { environment = {} }]) => {
    const { SVC_STORE_FILE: file, SVC_NETWORK: network = '' } = environment;
    const named = /@([^/]+)\//.exec(url)?.[1]?.split(',').sort() ?? [];
    return [
      ...flawsOfSettings({ SVC_STORE: url }),
      ...(file === undefined ? [`${name} has no SVC_STORE_FILE`] : []),
      ...(named.join() === hosts.join() ? [] : [`${name}: SVC_STORE names other servers`]),
      ...(url.includes(`replicaSet=${set}`) ? [] : [`${name}: SVC_STORE names another replica set`]),
      ...(init?.[1].environment?.DATABASE === databaseOf(url, network)
        ? []
        : [`${name}: its user may not use its database`]),
    ];
  });
  return [
    ...(servers.length === 3 && sets.size === 1 ? [] : ['there is no replica set of three']),
    ...(initiated.join() === hosts.join() && script.includes(`_id: '${set}'`)
      ? []
      : ['another replica set is initiated']),
    ...(/secret\('store'\)/.test(script) && init?.[1].secrets?.includes('store')
      ? []
      : ['its user has another password than the nodes send']),
    ...servers.flatMap(([name, { secrets, command }]) =>
      secrets?.includes('mongo-key') && command?.includes('--keyFile') ? [] : [`${name} accepts all clients`],
    ),
    ...nodes,
  ];
}
