import { hole } from '../base/hole.js';

export const notesHole = hole('what happened, what is next');
