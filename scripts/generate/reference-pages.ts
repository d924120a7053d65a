/** docs/generated: the tables of errors and of configuration variables. */

import { codes as allCodes, type Code } from '../../src/core/refusal.js';
import {
  codesOf,
  type ErrorSuffix,
  errorClasses,
  errorCodes,
  explainedCode,
} from '../../src/http/server/error-codes.js';
import { type Variable, variables } from '../../src/node/config/variables.js';
import { code, codes, headOf, table } from './markdown.js';

export function errorsPage(): string {
  const rows = (Object.keys(allCodes) as Code[]).map((each) => {
    const [status, suffix] = allCodes[each];
    return [code(each), String(status), code(`/${suffix}`), errorCodes[each].meaning];
  });
  return `${headOf('Errors')}
Every failure is a problem document (RFC 9457) with \`type\`, \`title\`, \`status\`, \`detail\`, \`instance\`, \`code\` and
\`requestId\`. Match on \`type\` or \`code\`; \`detail\` may change. A running node explains each type at
\`/errors/<suffix>\`, and each code, with an example and what to do, at \`/errors/<code>\`.

## Codes

${table(['Code', 'HTTP', 'Type', 'Meaning'], rows)}

## Types
${(Object.keys(errorClasses) as ErrorSuffix[]).map(classSection).join('')}
## What to do
${(Object.keys(allCodes) as Code[]).map(codeSection).join('')}`;
}

const classSection = (suffix: ErrorSuffix): string => `
### Type /${suffix}

**${errorClasses[suffix].title}.** ${codes(codesOf(suffix).map(({ code: each }) => each))}
`;

function codeSection(each: Code): string {
  const { meaning, advice, example } = explainedCode(each, { errorBaseUrl: '/errors' });
  return `
### ${each}

${meaning}

${advice}

\`\`\`json
${JSON.stringify(example, null, 2)}
\`\`\`
`;
}

export const configurationTable = (): string =>
  table(
    ['Variable', 'Takes', 'Default', 'Meaning'],
    Object.values<Variable<unknown>>(variables).map(({ name, default: fallback, read, description }) => [
      code(name),
      read.takes,
      code(fallback ?? '') || '–',
      description.replaceAll('<', '\\<'), // escaped, because Markdown would take it for HTML
    ]),
  );

export const configurationPage = (): string => `${headOf('Configuration')}
Environment variables configure a node; options of the command line take precedence. If a variable is invalid or unknown, the node does not start, and the error names the variable (\`SVC_TEST_*\` and \`SVC_NODE_*\` are ignored).

${configurationTable()}
`;
