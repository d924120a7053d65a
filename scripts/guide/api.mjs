/** The pages of the API: an index at `/docs`, and a page for each operation, made of the OpenAPI document and the samples. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Chapters of the guide that explain the operations of a tag. */
const chapters = {
  Node: ['operations', 'peers'],
  Identity: ['identities', 'signing'],
  Wallets: ['wallets', 'settlement'],
  Events: ['auditing', 'generated.events'],
  'Markets: search': ['searching'],
  Orders: ['information', 'tasks'],
  'Market: capabilities': ['leases'],
  'Market: information': ['information'],
  Reputation: ['reputation'],
  Escrows: ['escrows'],
  'Market: tasks': ['tasks'],
  Contracts: ['contracts'],
  Machines: ['state-charts', 'generated.machines'],
  Admin: ['operations'],
  Audit: ['auditing'],
  'API keys': ['reference.access'],
  Webhooks: ['webhooks'],
  System: ['operations', 'generated.errors'],
};
/** Shapes inside shapes are shown this deep. */
const deepest = 4;

/**
 * @param root folder of the checkout @param tools `{ escaped, slugOf, highlighted, inline, block, titles }` of the guide
 * @returns the pages `{ name, title, body, navigation, section }`; the first is the index, whose name is `docs`
 */
export function apiPages(root, { escaped, slugOf, highlighted, inline, block, titles }) {
  const json = (file) => JSON.parse(readFileSync(path.join(root, 'docs', 'generated', file), 'utf8'));
  const api = json('openapi.json');
  const samples = json('samples.json');
  const operations = Object.entries(api.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, route, method: method.toUpperCase() })),
  );
  const tags = api.tags.map(({ name, description }) => ({
    ...{ name, description, slug: slugOf(name) },
    members: operations.filter((each) => each.tags.includes(name)),
  }));
  const nameOf = ({ operationId }) => `api.${operationId.toLowerCase()}`;
  const target = (reference) =>
    reference
      .split('/')
      .slice(1)
      .reduce((part, step) => part[step], api);
  /** A place of the document, and the name of its shape. */
  const shapeOf = (schema) =>
    schema.$ref ? { shape: schema.$ref.split('/').at(-1), ...target(schema.$ref), ...schema } : schema;
  const code = (text, language) =>
    `<pre tabindex="0"><code>${highlighted(typeof text === 'string' ? text : JSON.stringify(text, undefined, 2), language)}</code></pre>\n`;
  const number = (value) => (Number.isSafeInteger(value) ? value.toLocaleString('en') : String(value));

  function typeOf(schema) {
    const { shape, type, items, anyOf, oneOf, enum: words, format } = shapeOf(schema);
    if (words) return words.map((word) => `<code>${escaped(JSON.stringify(word))}</code>`).join(' or ');
    const choices = anyOf ?? oneOf;
    if (choices) return [...new Set(choices.map(typeOf))].join(' or ');
    if (items) return `list of ${typeOf(items)}`;
    if (shape) return escaped(shape);
    const names = [type ?? 'any value'].flat().join(' or ');
    return escaped(format === 'date-time' ? `time (${names})` : names);
  }

  function boundsOf(schema) {
    const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = shapeOf(schema);
    const range = (least, most, unit) => {
      const end = most === undefined || most === Number.MAX_SAFE_INTEGER ? undefined : number(most);
      if (least === undefined && end === undefined) return [];
      if (end === undefined) return least > 0 ? [`at least ${number(least)}${unit}`] : [];
      return [least === undefined ? `at most ${end}${unit}` : `${number(least)} to ${end}${unit}`];
    };
    return [
      ...range(minimum, maximum, ''),
      ...range(minLength, maxLength, ' characters'),
      ...range(minItems, maxItems, ' elements'),
      ...(pattern === undefined ? [] : [`<code>${escaped(pattern)}</code>`]),
    ].join('; ');
  }

  /** The shapes of objects inside a value: its own, or those of its elements, its values or its choices. */
  function insidesOf(schema) {
    const shape = shapeOf(schema);
    if (shape.properties) return [shape];
    const values = typeof shape.additionalProperties === 'object' ? [shape.additionalProperties] : [];
    return [...(shape.items ? [shape.items] : []), ...(shape.anyOf ?? shape.oneOf ?? []), ...values].flatMap(insidesOf);
  }

  function membersOf(shape, depth = 1) {
    const rows = Object.entries(shape.properties).map(([name, schema]) =>
      memberRow(name, { schema, isRequired: shape.required?.includes(name), says: shapeOf(schema).description, depth }),
    );
    return table(['Member', 'Type', 'Meaning'], rows);
  }

  function memberRow(name, { schema, isRequired, says = '', depth }) {
    const bounds = boundsOf(schema);
    const insides = depth < deepest ? insidesOf(schema) : [];
    const folded = insides.map(
      (each) =>
        `<details><summary>Members${each.shape ? ` of ${escaped(each.shape)}` : ''}</summary>${membersOf(each, depth + 1)}</details>`,
    );
    const must = isRequired ? ' <span class="must">required</span>' : '';
    const limits = bounds === '' ? '' : `<small>${bounds}</small>`;
    return `<tr><th scope="row"><code>${escaped(name)}</code>${must}</th><td>${typeOf(schema)}${limits}</td><td>${inline(says)}${folded.join('')}</td></tr>`;
  }

  const table = (columns, rows) =>
    `<table class="members"><thead><tr>${columns.map((each) => `<th scope="col">${each}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>\n`;

  function parametersOf({ parameters = [] }) {
    const places = [
      ['path', 'In the path'],
      ['query', 'In the query'],
      ['header', 'Headers'],
    ];
    return places
      .map(([place, heading]) => {
        const found = parameters.filter((each) => each.in === place);
        if (found.length === 0) return '';
        const rows = found.map(({ name, schema, required, description }) =>
          memberRow(name, { schema, isRequired: required, says: description, depth: 1 }),
        );
        return `<h2 id="${place}">${heading}</h2>\n${table(['Name', 'Type', 'Meaning'], rows)}`;
      })
      .join('');
  }

  function bodyOf({ requestBody }) {
    if (!requestBody) return '';
    const [[media, { schema, example }]] = Object.entries(requestBody.content);
    const shapes = insidesOf(schema);
    const sample = example === undefined ? '' : `<h3 id="body-sample">Sample</h3>\n${code(example, 'json')}`;
    return `<h2 id="body">Body</h2>\n<p><code>${media}</code></p>\n${shapes.map((each) => membersOf(each)).join('')}${sample}`;
  }

  function curlOf({ route, method, parameters = [], requestBody, security = [] }) {
    const example = requestBody?.content['application/json']?.example;
    const exampleOf = (name) => parameters.find((each) => each.in === 'path' && each.name === name)?.example;
    const filled = route.replace(/\{(\w+)\}/g, (place, name) => {
      const value = exampleOf(name);
      return value === undefined ? place : encodeURIComponent(String(value)).replaceAll('%3A', ':');
    });
    const isKeyless = security.some((each) => Object.keys(each).length === 0);
    return [
      `curl${method === 'GET' ? '' : ` -X ${method}`} 'http://127.0.0.1:9528${filled}'`,
      ...(isKeyless ? [] : [`-H 'X-Api-Key: <key>'`]),
      ...(example === undefined
        ? []
        : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example).replaceAll("'", "'\\''")}'`]),
    ].join(' \\\n  ');
  }

  /** Tabs that need no script: each is a radio button, and the style shows what belongs to the one that is chosen. */
  function samplesOf(operation) {
    const sample = samples[operation.operationId];
    const texts = [
      ['curl', curlOf(operation), 'bash'],
      ...(sample
        ? [
            ['TypeScript', sample.typescript.trimEnd(), 'typescript'],
            ['Python', sample.python.trimEnd(), 'python'],
            ['Command line', sample.command, 'bash'],
          ]
        : []),
    ];
    const tabs = texts.map(
      ([title, text, language], at) =>
        `<label><input type="radio" name="sample"${at === 0 ? ' checked' : ''}> ${title}</label>\n<div class="sample">${code(text, language)}</div>\n`,
    );
    return `<h2 id="request">Request</h2>\n<fieldset class="tabs"><legend>The same request with</legend>\n${tabs.join('')}</fieldset>\n`;
  }

  function repliesOf({ responses, 'x-error-codes': codes = [] }) {
    const all = Object.entries(responses).map(([status, each]) => [status, each.$ref ? target(each.$ref) : each]);
    const good = all
      .filter(([status]) => status < 400)
      .map(([status, { description, content = {} }]) => {
        const [[media, { schema, example } = {}] = []] = Object.entries(content);
        const shapes = schema ? insidesOf(schema) : [];
        const sample =
          example === undefined
            ? ''
            : `<h3 id="sample-${status}">Sample</h3>\n${code(example, typeof example === 'string' ? '' : 'json')}`;
        const kind = media ? ` – <code>${escaped(media)}</code>` : '';
        return `<h2 id="reply-${status}">Reply ${status}</h2>\n<p>${inline(description)}${kind}</p>\n${sample}${shapes
          .map(
            (each) =>
              `<details><summary>Members${each.shape ? ` of ${escaped(each.shape)}` : ''}</summary>${membersOf(each)}</details>\n`,
          )
          .join('')}`;
      });
    const rows = all
      .filter(([status]) => status >= 400)
      .map(([status, { description }]) => {
        const [says, names = ''] = description.split(/: (?=[A-Z_]{4,})/);
        const links = names
          .split(', ')
          .filter((name) => codes.includes(name) || /^[A-Z_]{4,}$/.test(name))
          .map((name) => `<a href="../errors/${name}">${name}</a>`);
        return `<tr><th scope="row">${status}</th><td>${inline(says)}</td><td>${links.join('<br>')}</td></tr>`;
      });
    const refusals =
      rows.length === 0 ? '' : `<h2 id="refusals">Refusals</h2>\n${table(['Status', 'Meaning', 'Codes'], rows)}`;
    return `${good.join('')}${refusals}`;
  }

  const link = (base, operation, text) => `<a href="${base}${nameOf(operation)}">${text}</a>`;
  const address = ({ method, route }) =>
    `<span class="method ${method.toLowerCase()}">${method}</span> <code>${escaped(route).replaceAll('/', '/<wbr>')}</code>`;

  function pageOf(operation, tag) {
    const { operationId, summary, description = '', method } = operation;
    const explained = chapters[tag.name].map((each) => `<a href="${each}">${escaped(titles(each))}</a>`);
    const trying =
      method === 'POST' && !['Admin', 'Audit', 'API keys'].includes(tag.name)
        ? ' · <a href="../console#/try">Try it in the console</a> (devnet)'
        : '';
    const body = `<p class="above"><a href="../docs">API</a> › <a href="../docs#${tag.slug}">${escaped(tag.name)}</a></p>
<h1 id="operation">${escaped(operationId)}</h1>
<p class="address">${address(operation)}</p>
<p class="lead">${inline(summary)}</p>
${block(description)}
<p>Explained in ${explained.join(' and ')}${trying}</p>
${samplesOf(operation)}${parametersOf(operation)}${bodyOf(operation)}${repliesOf(operation)}`;
    const words = [summary, description, operation.route, method, tag.name].join(' ');
    return {
      ...{ name: nameOf(operation), title: operationId, body, navigation: navigationOf('', '../docs', tag, operation) },
      section: { page: nameOf(operation), slug: '', title: 'API', heading: operationId, text: words },
    };
  }

  function navigationOf(base, docs, tag, current) {
    const lists = tags.map((each) => {
      const heading = `<a href="${docs}#${each.slug}">${escaped(each.name)}</a>`;
      if (each !== tag) return `<h2>${heading}</h2>`;
      const items = each.members.map((operation) => {
        const here = operation === current ? ' aria-current="page"' : '';
        return `<li><a href="${base}${nameOf(operation)}"${here}>${operation.operationId}</a></li>`;
      });
      return `<h2>${heading}</h2><ul>${items.join('')}</ul>`;
    });
    return lists.join('\n');
  }

  const groups = tags.map(({ name, slug, description, members }) => {
    const rows = members.map(
      (each) =>
        `<tr><th scope="row">${link('guide/', each, each.operationId)}</th><td>${address(each)}</td><td>${inline(each.summary)}</td></tr>`,
    );
    return `<h2 id="${slug}">${escaped(name)}</h2>\n<p>${inline(description)}</p>\n${table(['Operation', 'Request', 'What it does'], rows)}`;
  });
  const [about, ...rules] = api.info.description.split(/\n\n(?=## )/);
  const general = rules.map((rule) => {
    const [heading, ...text] = rule.slice('## '.length).split('\n');
    return `<details><summary>${escaped(heading)}</summary>${block(text.join('\n'), '')}</details>\n`;
  });
  const index = {
    ...{ name: 'docs', title: 'API', navigation: navigationOf('guide/', '') },
    body: `<h1 id="api">API</h1>
<p class="lead">${inline(about)}</p>
<p>${operations.length} operations. Programs read them from <a href="openapi.json">openapi.json</a> (OpenAPI ${escaped(api.openapi)}).
To send requests, <a href="console#/try">try it in the console</a> of a devnet node.</p>
<h2 id="rules">What holds for all operations</h2>
${general.join('')}${groups.join('')}`,
  };
  return [index, ...tags.flatMap((tag) => tag.members.map((operation) => pageOf(operation, tag)))];
}
