import type { Component, System } from 'swagger-ui-dist/swagger-ui-es-bundle.js';

interface CurlOperation {
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content: { readonly 'application/json'?: { readonly example?: unknown } } };
}

interface Props {
  readonly path: string;
  readonly method: string;
  readonly specSelectors: { specJson(): { getIn(keys: readonly string[]): { toJS(): CurlOperation } } };
}

/** Shows the request as a curl command above the responses. Swagger UI itself shows it only after sending the request. */
export const withCurl =
  (Responses: Component<Props>, { React }: System): Component<Props> =>
  (props) => {
    const { path, method, specSelectors } = props;
    const text = curlOf(path, method, specSelectors.specJson().getIn(['paths', path, method]).toJS());
    return React.createElement(
      React.Fragment,
      null,
      React.createElement(
        'div',
        { className: 'opblock-section curl' },
        React.createElement('h4', null, 'Request'),
        React.createElement('pre', { tabIndex: 0, className: 'microlight' }, text),
      ),
      React.createElement(Responses, props as never),
    );
  };

function curlOf(path: string, method: string, { security = [], requestBody }: CurlOperation): string {
  const example = requestBody?.content['application/json']?.example;
  const isKeyless = security.some((each) => Object.keys(each).length === 0);
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${location.origin}${path}'`,
    ...(isKeyless ? [] : [`-H 'X-Api-Key: <key>'`]),
    ...(example === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d '${quoted(example)}'`]),
  ].join(' \\\n  ');
}

const quoted = (example: unknown): string => JSON.stringify(example).replaceAll("'", "'\\''");
