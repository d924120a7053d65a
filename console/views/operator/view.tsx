import type { View } from '../../shell/views.ts';
import { Operator } from './operator.tsx';

const view: View = { path: 'operator', title: 'Operator', order: 60, Page: Operator };
export default view;
