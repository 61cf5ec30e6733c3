import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const inside = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** The program and what it is made of, joined into a few files that are found and read at once. Built from dist, after tsc. */
export default defineConfig({
  root: inside('.'),
  publicDir: false,
  clearScreen: false,
  logLevel: 'warn',
  // The validator of API documents reads its schemas from files beside it.
  ssr: { noExternal: true, external: ['@seriousme/openapi-schema-validator'] },
  // The SDK loads a validator of schemas at every start, and no server of ours asks it for one.
  resolve: { alias: { '@modelcontextprotocol/server/_shims': inside('.config/no-validator.js') } },
  build: {
    ssr: true,
    outDir: inside('dist/bundle'),
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: {
        program: inside('dist/cli/program.js'),
        // A thread is started from a file of its own.
        'catalog-worker': inside('dist/library/catalog-worker.js'),
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
