import { fileURLToPath } from 'node:url';
import { afterAll, describe } from 'vitest';
import { walkFolder } from '../../worlds/workrail-walks.js';

const table: string[] = [];
afterAll(() =>
  console.log(['of each sample of the WorkRail JSON format, and of each walk through it:', ...table].join('\n')),
);

describe('the samples of the WorkRail JSON format', () => {
  walkFolder(
    fileURLToPath(new URL('../../../fixtures/workrail-json', import.meta.url)),
    { largestMs: 30, contexts: 12 },
    (line) => void table.push(line),
  );
});
