import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRoute, type Route, writeRoute } from './route.js';

const name = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => text !== '.' && text !== '..' && !text.includes('/'));
const maybe = fc.option(name, { nil: undefined });
const held = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.record({ view: fc.constant('sessions' as const), query: maybe }),
  fc.record({ view: fc.constant('session' as const), sessionId: name, tab: maybe }),
  fc.record({ view: fc.constant('session' as const), sessionId: name, runId: name, nodeId: maybe, tab: maybe }),
  fc.record({
    view: fc.constant('timeline' as const),
    sessionId: name,
    at: fc.option(fc.nat(), { nil: undefined }),
    runId: maybe,
  }),
  fc.record({ view: fc.constant('compare' as const), sessionId: maybe, a: maybe, b: maybe }),
  fc.record({ view: fc.constant('workflows' as const), query: maybe }),
  fc.constant({ view: 'care' as const }),
  fc.record({
    view: fc.constant('workflow' as const),
    workflowId: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  }),
) as fc.Arbitrary<Route>;

describe('the address of a place', () => {
  it('leads back to it, as a browser would take it', () => {
    fc.assert(
      fc.property(routes, (route) => {
        const { pathname, search } = new URL(writeRoute(held(route)), 'http://127.0.0.1:4747');
        expect(readRoute(pathname, search)).toEqual(held(route));
      }),
    );
  });

  it('that leads nowhere says so', () => {
    expect(readRoute('/elsewhere', '')).toEqual({ view: 'nowhere', path: '/elsewhere' });
    expect(readRoute('/sessions/a/b', '')).toEqual({ view: 'nowhere', path: '/sessions/a/b' });
    expect(readRoute('/sessions/100%', '')).toEqual({ view: 'session', sessionId: '100%' });
  });
});
