export const mockPackages = ['@stoplight/prism-http-server@5.12.0'];

/** Prism in the place of the server of a document: it answers with what the document has, and refuses what it does not allow. */
export async function openMock(require, document) {
  const { createServer } = require('@stoplight/prism-http-server');
  const { getHttpOperationsFromSpec } = require('@stoplight/prism-http');
  const levels = ['trace', 'debug', 'info', 'success', 'warn', 'error'];
  const logger = { ...Object.fromEntries(levels.map((level) => [level, () => {}])), child: () => logger };
  const mock = { dynamic: false };
  // Whether its own answers are right is not asked: many documents break their own examples.
  const asked = { checkSecurity: true, validateRequest: true, validateResponse: false };
  const config = { mock, ...asked, isProxy: false, errors: true };
  const operations = await getHttpOperationsFromSpec(document);
  const server = createServer(operations, { cors: false, config, components: { logger } });
  const url = await server.listen(0, '127.0.0.1');
  return { url, close: () => server.close() };
}
