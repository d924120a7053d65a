import type { View } from '../../shell/views.ts';
import { Charts } from './charts.tsx';

const view: View = { path: 'charts', title: 'Resources', order: 10, Page: Charts };
export default view;
