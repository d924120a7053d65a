/** The request of an operation as curl, TypeScript and command line, above its responses. */
import type { Component, System } from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import generated from './samples.json';

interface CurlOperation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly example?: unknown } } };
}

interface Props {
  readonly path: string;
  readonly method: string;
  readonly specSelectors: { specJson(): { getIn(keys: readonly string[]): { toJS(): CurlOperation } } };
}

interface Sample {
  readonly typescript: string;
  readonly command: string;
}

const samples: { readonly [operationId: string]: Sample | undefined } = generated;

export const withSamples =
  (Responses: Component<Props>, { React }: System): Component<Props> =>
  (props) => {
    const { path, method, specSelectors } = props;
    const operation = specSelectors.specJson().getIn(['paths', path, method]).toJS();
    const sample = samples[operation.operationId];
    const texts = [
      ['curl', curlOf(path, method, operation)],
      ...(sample
        ? [
            // The sample names the address of a new node.
            ['TypeScript', sample.typescript.replace(/url: '[^']*'/, `url: '${location.origin}'`)],
            ['Command line', sample.command],
          ]
        : []),
    ];
    const shown = texts.map(([heading = '', text = '']) =>
      React.createElement(
        'section',
        { key: heading, 'aria-label': heading },
        React.createElement('h4', null, heading),
        React.createElement('pre', { tabIndex: 0, className: 'microlight' }, text),
      ),
    );
    return React.createElement(
      React.Fragment,
      null,
      React.createElement('div', { className: 'opblock-section samples' }, ...shown),
      React.createElement(Responses, props as never),
    );
  };

function curlOf(path: string, method: string, operation: CurlOperation): string {
  const { security = [], parameters = [], requestBody } = operation;
  const example = requestBody?.content['application/json']?.example;
  const isKeyless = security.some((each) => Object.keys(each).length === 0);
  const exampleOf = (name: string) => parameters.find((each) => each.in === 'path' && each.name === name)?.example;
  const filled = path.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = exampleOf(name);
    return value === undefined ? place : encodeURIComponent(String(value)).replaceAll('%3A', ':');
  });
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${location.origin}${filled}'`,
    ...(isKeyless ? [] : [`-H 'X-Api-Key: <key>'`]),
    ...(example === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${quoted(example)}'`]),
  ].join(' \\\n  ');
}

const quoted = (example: unknown): string => JSON.stringify(example).replaceAll("'", "'\\''");
