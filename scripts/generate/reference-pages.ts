/** docs/generated: the tables of errors and of configuration variables. */

import { codes as allCodes, type Code } from '../../src/core/refusal.js';
import { codesOf, errorClasses } from '../../src/http/server/error-classes.js';
import { errorCodes } from '../../src/http/server/error-codes.js';
import { type Variable, variables } from '../../src/node/config/variables.js';
import { code, codes, headOf, table } from './markdown.js';

type Suffix = Parameters<typeof codesOf>[0];

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
${(Object.keys(errorClasses) as Suffix[]).map(classSection).join('')}`;
}

function classSection(suffix: Suffix): string {
  const { title, meaning, advice } = errorClasses[suffix];
  return `
### /${suffix}

**${title}.** ${meaning} ${advice}

${codes(codesOf(suffix).map(({ code: each }) => each))}
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
