import type { View } from '../../shell/views.ts';
import { Overview } from './overview.tsx';

const view: View = { path: '', title: 'Overview', order: 0, Page: Overview };
export default view;
