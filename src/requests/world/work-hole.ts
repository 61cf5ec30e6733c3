import { hole } from '../../base/hole.js';

export const workHole = hole('words of the work, its ticket or branch');
