import type { View } from '../../shell/views.ts';
import { Find } from './find.tsx';

const view: View = { path: 'find', title: 'Search', order: 100, isHidden: true, Page: Find };
export default view;
