import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { own } from '../base/own.js';

interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly gzipped?: Buffer;
  readonly hashed: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};
const packed = new Set(['.html', '.js', '.css', '.json', '.svg', '.webmanifest', '.txt']);

/** What the page is allowed to do: its own files and its own server, and nothing that stands in text. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The built page. Only what was found in its folder is ever served, by its name there. */
export function pageFiles(folder: string): (request: Request) => Response {
  const files = new Map<string, PageFile>();
  let readAt = -1;
  return (request) => {
    const built = statSync(path.join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
    if (built === undefined) return notBuilt();
    if (built !== readAt) {
      files.clear();
      for (const [name, file] of readAll(folder)) files.set(name, file);
      readAt = built;
    }
    const { pathname } = new URL(request.url);
    const asked = files.get(pathname.slice(1));
    // A name with an ending is a file; every other one is a place within the page, and so is what is called by an id, which may have dots.
    const file =
      asked ??
      (/^(?!\/(?:sessions|workflows|catalogs)\/).*\.[a-z0-9]+$/iu.test(pathname) ? undefined : files.get('index.html'));
    if (file === undefined)
      return new Response('File not found.\n', {
        status: 404,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      });
    return served(file, request);
  };
}

function served({ bytes, gzipped, type, hashed }: PageFile, request: Request): Response {
  const takesGzip = /(?:^|,)\s*gzip\s*(?:,|;(?!\s*q=0(?:\.0+)?\s*(?:,|$))|$)/iu.test(
    request.headers.get('accept-encoding') ?? '',
  );
  const squeezed = takesGzip ? gzipped : undefined;
  const headers = {
    'content-type': type,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(gzipped !== undefined && { vary: 'Accept-Encoding' }),
    ...(squeezed !== undefined && { 'content-encoding': 'gzip' }),
  };
  return new Response(new Uint8Array(squeezed ?? bytes), { headers });
}

function* readAll(folder: string): Generator<readonly [string, PageFile]> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const extension = path.extname(entry.name).toLowerCase();
    const bytes = readFileSync(file);
    const name = path.relative(folder, file).split(path.sep).join('/');
    // Vite puts the digest of a file into its name.
    const hashed = name.startsWith('assets/') && /-[\w-]{8,}\.\w+$/u.test(entry.name);
    yield [
      name,
      {
        bytes,
        type: own(types, extension) ?? 'application/octet-stream',
        hashed,
        ...(packed.has(extension) && { gzipped: gzipSync(bytes) }),
      },
    ];
  }
}

function notBuilt(): Response {
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>WorkRail</title></head>
<body>
<h1>The page is not built</h1>
<p>WorkRail is running: agents are served at <code>/mcp</code>, programs at <code>/api</code> (<a href="/api/openapi.json">its routes</a>).</p>
<p>The page itself is missing from this copy. In a clone, run <code>npm run build</code> and reload.</p>
</body>
</html>
`;
  return new Response(html, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' },
  });
}
