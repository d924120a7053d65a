/** Markdown that is also readable as plain text. */

export { tableOf as table } from '../../src/http/charts/table.js';

export const headOf = (title: string): string =>
  `# ${title}\n\n<!-- Written by npm run generate; what is changed here is lost. -->\n`;

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
export const codes = (texts: readonly string[], none = '–'): string => texts.map(code).join(', ') || none;
