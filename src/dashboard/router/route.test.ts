import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRoute, type Route, writeRoute } from './route.js';

const name = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((text) => text !== '.' && text !== '..' && !text.includes('/'));
const maybe = fc.option(name, { nil: undefined });
const held = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

/** Places of each view besides its name. A new view is not left out: the table asks for its entry. */
const places: { readonly [V in Exclude<Route['view'], 'nowhere'>]: fc.Arbitrary<object> } = {
  sessions: fc.record({ query: maybe }),
  session: fc.oneof(
    fc.record({ sessionId: name, tab: maybe }),
    fc.record({ sessionId: name, runId: name, nodeId: maybe, tab: maybe }),
  ),
  timeline: fc.record({ sessionId: name, at: fc.option(fc.nat(), { nil: undefined }), runId: maybe }),
  state: fc.record({
    sessionId: name,
    stateId: maybe,
    at: fc.option(fc.nat(), { nil: undefined }),
    version: maybe,
    base: maybe,
  }),
  compare: fc.record({ sessionId: maybe, a: maybe, b: maybe }),
  workflows: fc.record({ query: maybe }),
  workflow: fc.record({
    workflowId: fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
  }),
  catalogs: fc.record({ query: maybe, catalog: maybe, safety: maybe }),
  catalog: fc.record({ catalogId: name }),
  // A command may be called by its method and path.
  command: fc.record({
    catalogId: name,
    command: fc.oneof(
      name,
      fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `GET /${parts.join('/')}`),
    ),
  }),
  preferences: fc.constant({}),
  care: fc.constant({}),
};
const routes = fc.oneof(
  ...Object.entries(places).map(([view, rest]) => rest.map((fields) => ({ view, ...fields }) as Route)),
);

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
