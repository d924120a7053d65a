import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/plot.css';
import './style/lists.css';
import './style/reputation.css';
import './style/story.css';
import './style/rows.css';
import './style/print.css';
import { render } from 'preact';
import { App } from './shell/app.tsx';

const root = document.getElementById('app');
if (root) render(<App />, root);
