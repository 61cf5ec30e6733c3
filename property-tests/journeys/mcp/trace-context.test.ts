import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Requests } from '../../../src/requests/requests.js';
import { serveRequests } from '../../worlds/http-world.js';
import { makeRequestsWorld, segmentTexts, sessionFolders } from '../../worlds/requests-world.js';
import { envelope, eras, serve } from '../../worlds/stdio-world.js';

const traceOf = (id: string): string => `00-${id.repeat(32)}-${id.repeat(16)}-01`;
const lines: string[] = [];
const world = makeRequestsWorld({ seed: 17, log: (line) => void lines.push(line) });
world.writeWorkflow(
  'walk',
  'workflow: wr.walk\ntitle: A walk\ndescription: A step.\nversion: 1.0.0\nsteps:\n  - { id: one, title: First, prompt: Begin. }\n',
);
afterAll(() => world.close());
beforeEach(() => void lines.splice(0));

const refused = { name: 'continue_workflow', arguments: { stateToken: 'nonsense' } };
const starts = (session: string) => ({ name: 'start_workflow', arguments: { workflowId: 'wr.walk', session } });
const written = (): string =>
  sessionFolders(world.data)
    .flatMap((session) => segmentTexts(world.data, session).map(({ text }) => text))
    .join('');

describe.each(eras)('a call that names the trace it belongs to (%s)', (era) => {
  /** Real requests behind streams; what is thrown comes from a door that is broken on purpose. */
  const client = async (broken = false) => {
    const requests = world.open();
    const call: Requests['call'] = (name, raw) =>
      broken ? Promise.reject(new Error('broken\n  at some place')) : requests.call(name, raw);
    const told = serve(era, () => Promise.reject(new Error('not reached')), {
      openRequests: () => Promise.resolve({ call, close: () => Promise.resolve() }),
      log: (line) => void lines.push(line),
    });
    await told.initialize();
    return told;
  };

  it('is told with it where it is refused, and answered as any other', async () => {
    const { ask } = await client();
    const meta = { traceparent: traceOf('a'), tracestate: 'vendor=1' };
    const traced = await ask(2, 'tools/call', { ...refused, _meta: meta });
    const plain = await ask(3, 'tools/call', refused);
    const withoutIds = (result: unknown): string => JSON.stringify(result).replaceAll(/[0-9a-f]{12}/gu, '');
    expect(withoutIds(traced.result)).toBe(withoutIds(plain.result));
    const [first, second] = lines.filter((line) => line.includes('TOKEN'));
    expect(first).toContain(`(traceparent ${traceOf('a')}, tracestate vendor=1)`);
    expect(second).not.toContain('traceparent');
  });

  it('is told with it where it fails, in the first line of what went wrong', async () => {
    const { ask } = await client(true);
    await ask(2, 'tools/call', { name: 'list_workflows', _meta: { traceparent: traceOf('b') } });
    expect(lines.find((line) => line.includes('correlation'))?.split('\n')[0]).toMatch(
      new RegExp(`broken \\(traceparent ${traceOf('b')}\\)$`, 'u'),
    );
  });

  it('is not taken for another that is made at the same time', async () => {
    const { ask } = await client();
    await Promise.all(
      ['c', 'd', 'e'].map((id, index) =>
        ask(index + 2, 'tools/call', {
          name: 'start_workflow',
          arguments: { workflowId: `no.${id.repeat(9)}` },
          _meta: { traceparent: traceOf(id) },
        }),
      ),
    );
    for (const id of ['c', 'd', 'e'])
      expect(lines.filter((line) => line.includes(traceOf(id)))).toEqual([
        expect.stringContaining(`no.${id.repeat(9)}`),
      ]);
  });

  it('leaves nothing of it in the log of the session', async () => {
    const { ask } = await client();
    const meta = { traceparent: traceOf('f'), tracestate: 'vendor=secret' };
    const { result } = await ask(2, 'tools/call', { ...starts(`T-${era}`), _meta: meta });
    expect(result).toMatchObject({ _meta: { 'workrail/answer': { kind: 'ok' } } });
    expect(written()).toContain('run_started');
    expect(written() + JSON.stringify(result)).not.toMatch(/f{16}|vendor/u);
  });

  it.each([{ traceparent: 'x' }, { traceparent: 7 }, { tracestate: 'vendor=1' }, { traceparent: null }])(
    'is served where that is malformed: %j',
    async (meta) => {
      const { ask } = await client();
      expect((await ask(2, 'tools/call', { ...refused, _meta: meta })).result).toMatchObject({ isError: true });
      expect(lines.join()).not.toContain('trace');
    },
  );
});

describe('a request over HTTP that names the trace it belongs to', () => {
  const meta = (besides: object): object => ({
    _meta: { ...envelope, 'io.modelcontextprotocol/clientCapabilities': {}, ...besides },
  });

  it('is told with it from its header, or from its message where that says so too; of the page as well', async () => {
    const requests = world.open();
    const broken = { ...requests.people, browseWorkflows: () => Promise.reject(new Error('broken')) };
    const served = await serveRequests(requests, { people: broken });
    const mcp = {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': refused.name,
    };
    const message = (params: object): object => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const call = async (params: object, headers: Readonly<Record<string, string>>): Promise<string> => {
      const response = await served.post('/mcp', message({ ...refused, ...params }), { ...mcp, ...headers });
      expect(await response.text()).not.toContain('traceparent');
      return lines.splice(0).join('\n');
    };
    expect(await call(meta({}), { traceparent: traceOf('1') })).toContain(traceOf('1'));
    const both = await call(meta({ traceparent: traceOf('2') }), { traceparent: traceOf('1') });
    expect(both).toContain(traceOf('2'));
    expect(both).not.toContain(traceOf('1'));
    expect(await call(meta({}), { traceparent: 'nonsense' })).not.toContain('trace');
    await (await served.get('/api/workflows', { traceparent: traceOf('3') })).text();
    expect(served.lines.join('\n')).toContain(traceOf('3'));
    await served.close();
  });

  it('is told with it in a session that began with initialize, each request with its own', async () => {
    const served = await serveRequests(world.open());
    const accept = { accept: 'application/json, text/event-stream' };
    const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'old', version: '1' } };
    const begun = await served.post(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
      { ...accept, traceparent: traceOf('4') },
    );
    await begun.text();
    const session = { ...accept, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
    for (const trace of [{ traceparent: traceOf('5') }, {}]) {
      const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: refused };
      await (await served.post('/mcp', message, { ...session, ...trace })).text();
    }
    const told = lines.filter((line) => line.includes('TOKEN'));
    expect(told.map((line) => line.includes(traceOf('5')))).toEqual([true, false]);
    expect(told.join()).not.toContain(traceOf('4'));
    await served.close();
  });
});
