/**
 * The API page, `/docs`: Swagger UI over the node's OpenAPI document (docs/decisions/0020-console.md). It only displays: a page
 * that sends requests would hold passphrases.
 */
import 'swagger-ui-dist/swagger-ui.css';
import './style.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { theme } from '../shell/theme.ts';
import { followAddress, showContents } from './contents.ts';
import { opsFilter } from './filter.ts';
import { resolveSubtree } from './resolve.ts';
import { withSamples } from './samples.ts';

// Swagger UI has a dark theme but leaves the choice to the page.
const dark = matchMedia('(prefers-color-scheme: dark)');
const isDark = () => (theme.value === 'system' ? dark.matches : theme.value === 'dark');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', isDark());
dark.addEventListener('change', setTheme);
setTheme();

const nothing = () => () => null;

const ui = SwaggerUI({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  filter: true,
  showExtensions: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  onComplete: () => {
    showContents(document.getElementById('contents')!, ui);
    followAddress(ui);
  },
  plugins: [
    {
      fn: { opsFilter, resolveSubtree },
      wrapComponents: {
        responses: withSamples,
        // These are for sending requests from the page, which this page does not do.
        ServersContainer: nothing,
        AuthorizeBtnContainer: nothing,
        authorizeOperationBtn: nothing,
      },
    },
  ],
});
