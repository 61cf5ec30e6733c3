import { hole } from './hole.js';

export const agreedHole = hole('true, once the user has agreed');
