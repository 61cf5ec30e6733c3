import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web page: built once, served by `workrail serve` from dist/dashboard, nothing loaded from elsewhere. */
export default defineConfig({
  root: fileURLToPath(new URL('../src/dashboard', import.meta.url)),
  base: '/',
  plugins: [react()],
  clearScreen: false,
  logLevel: 'warn',
  build: {
    outDir: fileURLToPath(new URL('../dist/dashboard', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // A strict content policy allows no script in the page itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
  },
  worker: { format: 'es' },
});
