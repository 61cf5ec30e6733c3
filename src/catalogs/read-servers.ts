import { inside, itemsAt, membersAt, type Spot, textAt, textsAt } from './document-reporter.js';
import type { Server } from './openapi-catalog.js';

/** The servers of a document, a path or an operation; undefined where it names none. */
export function readServers(at: Spot | undefined): readonly Server[] | undefined {
  if (at === undefined) return undefined;
  const servers = itemsAt(inside(at, 'servers')).flatMap((server): Server[] => {
    const url = textAt(inside(server, 'url'));
    if (url === undefined) return [];
    const description = textAt(inside(server, 'description'));
    return [{ url, ...(description !== undefined && { description }), variables: variablesOf(server) }];
  });
  return servers.length > 0 ? servers : undefined;
}

function variablesOf(server: Spot): Server['variables'] {
  return Object.fromEntries(
    membersAt(inside(server, 'variables')).map(([name, at]) => {
      const choices = textsAt(inside(at, 'enum'));
      const value = textAt(inside(at, 'default')) ?? choices[0] ?? '';
      return [name, { default: value, ...(choices.length > 0 && { choices }) }];
    }),
  );
}

/** In 2.0 host, base path and schemes make the servers; https comes first. An operation may have schemes of its own. */
export function readHost(root: Spot, schemesAt: Spot): readonly Server[] {
  const host = textAt(inside(root, 'host'));
  const basePath = textAt(inside(root, 'basePath')) ?? '';
  const path = basePath === '' || basePath.startsWith('/') ? basePath : `/${basePath}`;
  if (host === undefined) return [{ url: path === '' ? '/' : path, variables: {} }];
  const named = textsAt(inside(schemesAt, 'schemes')).filter((scheme) => /^https?$/u.test(scheme));
  const schemes = named.length > 0 ? named.toSorted((one, other) => other.length - one.length) : ['https'];
  return schemes.map((scheme) => ({ url: `${scheme}://${host}${path}`, variables: {} }));
}
