import { describe, expect, it } from 'vitest';
import { readRoute, writeRoute } from './route.js';
import { waysOut } from './ways-out.js';

const outOf = (path: string, closest: readonly string[] = []): readonly string[] =>
  waysOut(readRoute(path, ''), closest).map(({ to }) => writeRoute(to));

describe('the ways out of an address that leads nowhere', () => {
  it('are the nearest view, a search for what was named, and the lists', () => {
    expect(outOf('/session/PAY-88')).toEqual(['/sessions/PAY-88', '/', '/?q=PAY-88', '/workflows']);
    expect(outOf('/workflw/wr.review')[0]).toBe('/workflows/wr.review');
    expect(outOf('/doctor')[0]).toBe('/care');
    expect(outOf('/AUTH-2217')).toEqual(['/?q=AUTH-2217', '/', '/workflows']);
    expect(outOf('/%')).toEqual(['/?q=%25', '/', '/workflows']);
  });

  it('are the names that come near, where the server knows some', () => {
    expect(outOf('/sessions/PAY-89', ['PAY-88'])).toEqual(['/sessions/PAY-88', '/?q=PAY-89', '/']);
    expect(outOf('/workflows/wr.reviw', ['wr.review'])).toEqual([
      '/workflows/wr.review',
      '/workflows?q=wr.reviw',
      '/workflows',
    ]);
  });
});
