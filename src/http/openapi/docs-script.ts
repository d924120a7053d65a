/**
 * The script of `/docs`: renders `/openapi.json` in the browser, without any library. It is served unchanged, so it is
 * plain JavaScript in a string. Everything goes into the page as text, never as HTML.
 */
export const docsScript = `
const make = (name, properties = {}, ...children) => {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children.filter((child) => child !== undefined));
  return node;
};
const code = (text) => make('code', { textContent: text });
const block = (text) => make('pre', {}, code(text));
// Text between backquotes is code.
const words = (text = '') => text.split('\`').map((part, index) => (index % 2 ? code(part) : part));
const faint = (name, text) => make(name, { className: 'faint' }, ...words(text));

let components = {};
const nameOf = ({ $ref }) => $ref.split('/').pop();
// A member that variants describe differently matches any of their schemas.
const together = (variants) => {
  const found = {};
  for (const { properties } of variants) {
    for (const [name, member] of Object.entries(properties)) {
      const known = found[name]?.anyOf ?? (found[name] ? [found[name]] : []);
      if (known.every((each) => JSON.stringify(each) !== JSON.stringify(member))) {
        found[name] = known.length ? { anyOf: [...known, member] } : member;
      }
    }
  }
  return found;
};

// Merges the members of all parts; among variants, a member is required if each of them requires it.
const resolved = (schema) => {
  const own = schema.$ref ? resolved(components[nameOf(schema)]) : schema;
  const parts = (own.allOf ?? []).map(resolved);
  const variants = (own.anyOf ?? own.oneOf ?? []).map(resolved).filter((each) => each.properties);
  if (parts.length + variants.length === 0) return own;
  const everywhere = (variants[0]?.required ?? []).filter((name) => variants.every((each) => each.required?.includes(name)));
  return { ...own,
    properties: Object.assign(together(variants), ...parts.map((part) => part.properties), own.properties),
    required: [...parts, own].flatMap((part) => part.required ?? []).concat(everywhere) };
};

const typeOf = (schema = {}) => {
  if (schema.$ref) return nameOf(schema);
  if (schema.allOf) return schema.allOf.map(typeOf).join(' & ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return [...new Set(variants.map(typeOf))].join(' | ');
  if (schema.type === 'array') return 'array of ' + typeOf(schema.items);
  return [schema.type ?? 'any'].flat().join(' | ') + (schema.format ? ' (' + schema.format + ')' : '');
};

const typeNode = (schema) =>
  typeOf(schema).split(/(\\w+)/).map((part) =>
    Object.hasOwn(components, part) ? make('a', { href: '#schema-' + part, textContent: part }) : part);

const bounds = (schema) => {
  const names = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'];
  const shown = names.filter((name) => schema[name] !== undefined && schema[name] !== Number.MAX_SAFE_INTEGER);
  return shown.map((name) => name + ' ' + schema[name]).join(', ');
};

const table = (rows) =>
  make('table', {},
    make('thead', {}, make('tr', {}, ...['Name', 'Type', 'Needed', ''].map((head) => make('th', { textContent: head })))),
    make('tbody', {}, ...rows.map(({ name, schema, required, description, where }) =>
      make('tr', {},
        make('td', {}, code(name), where ? faint('div', where) : undefined),
        make('td', {}, ...typeNode(schema)),
        make('td', { textContent: required ? 'yes' : '' }),
        faint('td', [description ?? schema.description, bounds(schema), schema.writeOnly ? 'secret' : ''].filter(Boolean).join(' · ')),
      ))));

// Components are shown once, at the end of the page.
const members = (schema, prefix = '') => {
  const { properties = {}, required = [] } = resolved(schema);
  return Object.entries(properties).flatMap(([name, member]) => [
    { name: prefix + name, schema: member, required: required.includes(name) },
    ...(member.$ref ? [] : members(member, prefix + name + '.')),
    ...(member.items && !member.items.$ref ? members(member.items, prefix + name + '[].') : []),
  ]);
};

const componentNode = ([name, schema]) =>
  make('details', { id: 'schema-' + name },
    make('summary', {}, code(name), ' ', faint('span', schema.description)),
    make('div', {}, ...(schema.oneOf ?? schema.anyOf ?? [schema]).map((each) => table(members(each)))));

const curl = (method, path, operation, body) => {
  const lines = ['curl' + (method === 'get' ? '' : ' -X ' + method.toUpperCase()) + " '" + location.origin + path + "'"];
  if (!(operation.security ?? []).some((each) => Object.keys(each).length === 0)) lines.push("-H 'X-Api-Key: <key>'");
  if (body !== undefined) {
    lines.push("-H 'Content-Type: application/json'");
    lines.push("-d '" + JSON.stringify(body).replaceAll("'", "'\\\\''") + "'");
  }
  return lines.join(' \\\\\\n  ');
};

const replies = (responses) =>
  make('table', {}, make('tbody', {}, ...Object.entries(responses).map(([status, reply]) =>
    make('tr', {}, make('td', {}, code(status)), faint('td', reply.description ?? nameOf(reply))))));

const operationNode = (method, path, operation, shared) => {
  const content = operation.requestBody?.content['application/json'];
  const parameters = (operation.parameters ?? []).map((each) => ({ ...each, where: each.in }));
  const body = content ? members(content.schema) : [];
  const responses = Object.fromEntries(Object.entries(operation.responses).map(([status, reply]) =>
    [status, reply.$ref ? shared[status] : reply]));
  const [success] = Object.values(operation.responses);
  const schema = success.content?.['application/json']?.schema;
  return make('details', { id: operation.operationId },
    make('summary', {},
      make('span', { className: 'method', textContent: method.toUpperCase() }), code(path), ' ',
      faint('span', operation.summary)),
    make('div', {},
      faint('p', 'Operation ' + operation.operationId + ', scope ' + operation['x-scope']),
      ...(parameters.length ? [make('h3', { textContent: 'Parameters' }), table(parameters)] : []),
      ...(body.length ? [make('h3', { textContent: 'Body' }), table(body)] : []),
      make('h3', { textContent: 'Example' }), block(curl(method, path, operation, content?.example)),
      ...(schema ? [make('h3', {}, 'Reply: ', ...typeNode(schema)), table(members(schema))] : []),
      make('h3', { textContent: 'Statuses' }), replies(responses)));
};

const render = (api) => {
  components = api.components.schemas;
  const main = document.querySelector('main');
  const search = make('input', { type: 'search', placeholder: 'Filter by path, name or words' });
  search.setAttribute('aria-label', 'Filter operations and schemas');
  const sections = api.tags.map(({ name }) => {
    const nodes = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, operation]) => operation.tags.includes(name))
        .map(([method, operation]) => operationNode(method, path, operation, api.components.responses)));
    return make('section', {}, make('h2', { textContent: name }), ...nodes);
  });
  sections.push(make('section', {}, make('h2', { textContent: 'Schemas' }), ...Object.entries(components).map(componentNode)));
  search.addEventListener('input', () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const section of sections) {
      let shown = 0;
      for (const node of section.querySelectorAll('details')) {
        const text = (node.id + ' ' + node.firstChild.textContent).toLowerCase();
        node.hidden = !words.every((word) => text.includes(word));
        if (!node.hidden) shown += 1;
      }
      section.hidden = shown === 0;
    }
  });
  main.replaceChildren(
    faint('p', 'Version ' + api.info.version + '. ' + api.info.description),
    search,
    ...sections);
  openNamed();
};

const openNamed = () => {
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named) { named.open = true; named.scrollIntoView(); }
};
addEventListener('hashchange', openNamed);

fetch('/openapi.json').then((reply) => reply.json()).then(render).catch((error) => {
  document.querySelector('main').textContent = 'The description could not be loaded: ' + error;
});
`;
