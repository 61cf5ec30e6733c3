import { defined } from '../base/defined.js';
import { type DocumentReporter, inside, itemsAt, membersAt, type Spot, textAt, textsAt } from './document-reporter.js';
import { follow } from './follow.js';
import type { References } from './references.js';
import type { SecurityAlternative, SecurityScheme } from './openapi-catalog.js';

/** By what a call may show who makes it; in the words of 3.x, whichever version the document has. */
export function readSchemes(all: Spot | undefined, references: References, report: DocumentReporter): SecurityScheme[] {
  return membersAt(all).flatMap(([name, spot]) => {
    const at = follow(references, report, spot);
    const scheme = at && readScheme(name, at);
    if (at !== undefined && scheme === undefined)
      report.warn(spot, 'security', `\`${name}\` is not a known security scheme`);
    return scheme ?? [];
  });
}

function readScheme(name: string, at: Spot): SecurityScheme | undefined {
  const member = (field: string): string | undefined => textAt(inside(at, field));
  const told = (scheme: Omit<SecurityScheme, 'name' | 'description'>): SecurityScheme =>
    defined<SecurityScheme>({
      place: undefined,
      parameter: undefined,
      scheme: undefined,
      flows: undefined,
      url: undefined,
      ...scheme,
      name,
      description: member('description'),
    });
  switch (member('type') ?? '') {
    case 'apiKey': {
      const [place, parameter] = [member('in'), member('name')];
      if (parameter === undefined || (place !== 'query' && place !== 'header' && place !== 'cookie')) return undefined;
      return told({ kind: 'key', place, parameter });
    }
    case 'http':
      return told({ kind: 'http', scheme: (member('scheme') ?? 'basic').toLowerCase() });
    case 'basic':
      return told({ kind: 'http', scheme: 'basic' });
    case 'oauth2':
      return told({ kind: 'oauth2', flows: readFlows(at) });
    case 'openIdConnect':
      return told({ kind: 'openid', url: member('openIdConnectUrl') });
    case 'mutualTLS':
      return told({ kind: 'tls' });
    default:
      return undefined;
  }
}

/** What 2.0 calls a flow of this name has another since. */
const grants: ReadonlyMap<string, string> = new Map([
  ['application', 'clientCredentials'],
  ['accessCode', 'authorizationCode'],
]);

function readFlows(at: Spot): NonNullable<SecurityScheme['flows']> {
  const grant = textAt(inside(at, 'flow'));
  const flows: readonly (readonly [string, Spot])[] =
    grant === undefined ? membersAt(inside(at, 'flows')) : [[grants.get(grant) ?? grant, at]];
  return flows.map(([name, flow]) =>
    defined({
      grant: name,
      authorizationUrl: textAt(inside(flow, 'authorizationUrl')),
      tokenUrl: textAt(inside(flow, 'tokenUrl')),
      scopes: membersAt(inside(flow, 'scopes')).map(([scope]) => scope),
    }),
  );
}

/** Of a document or an operation; undefined where it does not say. */
export function readAlternatives(at: Spot | undefined): SecurityAlternative[] | undefined {
  if (!Array.isArray(at?.value)) return undefined;
  return itemsAt(at).map((one) => membersAt(one).map(([scheme, scopes]) => ({ scheme, scopes: textsAt(scopes) })));
}
