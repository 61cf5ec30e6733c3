import { defined } from '../base/defined.js';
import { inside, type Spot, textAt, textsAt } from './document-reporter.js';
import type { ListedOperation } from './list-operations.js';
import type { Operation, SecurityAlternative, Server } from './openapi-catalog.js';
import { isContentType, readAnswers, readBody, readOldBody } from './read-bodies.js';
import { type Reading, readParameters } from './read-parameters.js';
import { readAlternatives } from './read-security.js';
import { readHost, readServers } from './read-servers.js';
import { serverUrl } from './server-url.js';

interface Around {
  readonly root: Spot;
  readonly listed: ListedOperation;
  readonly servers: readonly Server[];
  readonly security: readonly SecurityAlternative[];
}

/** One operation with its parameters in their places, its bodies, its answers and the schemas of all of them. */
export function readOperation(reading: Reading, { root, listed, servers, security }: Around): Operation {
  const { entry, at, around } = listed;
  const lists = [...around, at].map((spot) => inside(spot, 'parameters'));
  const { parameters, bodies } = readParameters(reading, entry.path, lists);
  const types = (name: string): string[] => textsAt(inside(at, name) ?? inside(root, name)).filter(isContentType);
  const body = reading.isOld
    ? readOldBody(reading, bodies, types('consumes'))
    : readBody(reading, inside(at, 'requestBody'));
  const answers = readAnswers(reading, inside(at, 'responses'), reading.isOld ? types('produces') : []);
  const named = ownServers(reading, root, listed);
  const own = named !== undefined && isElsewhere(named, servers) ? named : undefined;
  return defined<Operation>({
    ...entry,
    description: textAt(inside(at, 'description')) ?? '',
    summary: textAt(inside(at, 'summary')) ?? '',
    servers: [...(own ?? servers)],
    ownServers: own !== undefined,
    security: readAlternatives(inside(at, 'security')) ?? [...security],
    parameters: [...parameters],
    body,
    answers,
    ...reading.schemas.close(),
    warnings: reading.report.violations(),
  });
}

/** Many documents repeat their servers at each path: an address that the user sets goes for those operations too. */
const isElsewhere = (own: readonly Server[], servers: readonly Server[]): boolean =>
  addressAt(own) !== addressAt(servers);

function addressAt(servers: readonly Server[]): string {
  const server = servers.find(({ url }) => url.startsWith('https:')) ?? servers[0];
  const address = server && serverUrl(server);
  return address?.ok === true ? address.value : (server?.url ?? '/');
}

function ownServers({ isOld }: Reading, root: Spot, { at, around }: ListedOperation): readonly Server[] | undefined {
  if (isOld) return inside(at, 'schemes') === undefined ? undefined : readHost(root, at);
  return [at, ...around.toReversed()].reduce<readonly Server[] | undefined>(
    (known, spot) => known ?? readServers(spot),
    undefined,
  );
}
