import type { View } from '../../shell/views.ts';
import { Try } from './try.tsx';

const view: View = { path: 'try', title: 'Try it', order: 70, Page: Try, onlyOn: 'devnet' };
export default view;
