/**
 * The API page, `/docs`: Swagger UI over the node's own description (docs/decisions/0020-console.md). It only shows: a page that
 * sends requests would hold passphrases.
 */
import 'swagger-ui-dist/swagger-ui.css';
import './style.css';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import { withCurl } from './curl.ts';
import { opsFilter } from './filter.ts';

// Swagger UI has a dark theme, and leaves it to the page to choose.
const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', setTheme);
setTheme();

const nothing = () => () => null;

SwaggerUI({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  filter: true,
  showExtensions: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  supportedSubmitMethods: [],
  plugins: [
    {
      fn: { opsFilter },
      wrapComponents: {
        responses: withCurl,
        // Of use to who sends requests from the page.
        ServersContainer: nothing,
        AuthorizeBtnContainer: nothing,
        authorizeOperationBtn: nothing,
      },
    },
  ],
});
