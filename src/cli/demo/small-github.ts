import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';

/** A server on this machine that answers as GitHub would, and remembers what it was asked. */
export interface SmallGitHub {
  readonly origin: string;
  /** What has to come with each request. */
  readonly token: string;
  readonly issues: JsonObject[];
  /** Every request, in order, such as `GET /user/orgs`. */
  readonly asked: string[];
  /** Those that changed something. */
  readonly writes: () => readonly string[];
  readonly close: () => Promise<void>;
}

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly body: JsonObject;
}
interface Said {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

/** How the release of v2.4.0 ends. */
export type Conclusion = 'success' | 'failure';

export async function startSmallGitHub(conclusion: Conclusion = 'success'): Promise<SmallGitHub> {
  const token = 'ghp_thisTokenOpensNothingAnywhere';
  const issues: JsonObject[] = [
    { number: 31, state: 'open', title: 'The monthly export leaves out orders of the same second' },
  ];
  const asked: string[] = [];
  const say = answersOf(issues, conclusion);
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const { method = 'GET', url: path = '/', headers } = request;
      const url = new URL(path, `http://${headers.host ?? 'localhost'}`);
      asked.push(`${method} ${url.pathname}`);
      const isKnown = headers.authorization === `Bearer ${token}`;
      answer(response, isKnown ? say({ method, url, body }) : { status: 401, body: { message: 'Bad credentials' } });
    });
  });
  return {
    origin: await listen(server),
    token,
    issues,
    asked,
    writes: () => asked.filter((line) => !line.startsWith('GET ')),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answersOf(issues: JsonObject[], conclusion: Conclusion): (request: Asked) => Said {
  let isProtected = false;
  let looks = 0;
  return ({ method, url, body }) => {
    switch (`${method} ${url.pathname}`) {
      case 'GET /user/orgs':
        return { body: [{ login: 'shop' }] };
      case 'GET /orgs/shop/repos':
        return { body: [{ name: 'till' }, { name: 'website' }] };
      case 'GET /repos/shop/till/branches/main':
        return { body: { name: 'main', protected: isProtected } };
      case 'PUT /repos/shop/till/branches/main/protection':
        isProtected = true;
        return { body: { url: url.href } };
      case 'GET /search/issues': {
        const items = found(issues, url.searchParams.get('q') ?? '');
        return { body: { total_count: items.length, items } };
      }
      case 'POST /repos/shop/till/issues': {
        const number = 31 + issues.length;
        const filed = { ...body, number, state: 'open', html_url: `https://github.example/shop/till/issues/${number}` };
        issues.push(filed);
        return { status: 201, body: filed };
      }
      case 'GET /repos/shop/till/actions/workflows/release.yml/runs':
        return url.searchParams.get('page') === '2' ? runs(underWay) : { ...runs(...others), headers: pageAfter(url) };
      case 'GET /repos/shop/till/actions/runs/7002':
        looks += 1;
        if (looks === 1) return { body: underWay };
        if (looks === 2) return { status: 503, headers: { 'retry-after': '0' }, body: { message: 'busy' } };
        return { body: { ...underWay, status: 'completed', conclusion } };
      default:
        return { status: 404, body: { message: `nothing at ${url.pathname}` } };
    }
  };
}

/** On the second of two pages. */
const underWay: JsonObject = {
  id: 7002,
  head_branch: 'v2.4.0',
  status: 'in_progress',
  conclusion: null,
  html_url: 'https://github.example/shop/till/actions/runs/7002',
};
const others = ['v2.4.1', 'main'].map((tag, at) => ({ ...underWay, id: 7004 - at, head_branch: tag }));
const runs = (...some: readonly JsonObject[]): Said => ({ body: { total_count: 3, workflow_runs: [...some] } });
const pageAfter = ({ origin, pathname }: URL): { readonly link: string } => ({
  link: `<${origin}${pathname}?page=2>; rel="next"`,
});

/** The issues with one of the words in their title. */
function found(issues: readonly JsonObject[], query: string): JsonObject[] {
  const words = query.split(' ').filter((word) => !word.includes(':'));
  return issues.filter(({ title }) =>
    words.some((word) => typeof title === 'string' && title.toLowerCase().includes(word.toLowerCase())),
  );
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

async function readBody(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const body: unknown = text === '' ? {} : JSON.parse(text);
  return isJsonObject(body) ? body : {};
}

function answer(response: ServerResponse, { status = 200, headers = {}, body }: Said): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
