import { hole } from './hole.js';

export const notesHole = hole('what happened, what is next');
