import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

/** Sources of the tests, which are TypeScript, for a program that is not: each by its path, and closed at the end. */
export async function loadSources() {
  const vite = await createServer({
    root: fileURLToPath(new URL('../../..', import.meta.url)),
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  return { load: (path) => vite.ssrLoadModule(path), close: () => vite.close() };
}
