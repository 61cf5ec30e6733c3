// npm run generate writes the files that are made from the sources; npm run generated says whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import { build, isBuilt, root } from './build.mjs';
import { gates } from './gates.mjs';
import { httpApiPage } from './http-api-page.mjs';

/** The table of gates, on a page that people write. */
function withGates(page) {
  const rows = gates.map(
    ({ name, seconds, check, checks }) => `| \`npm run ${name}\` | ${check ? 'yes' : ''} | ${seconds} s | ${checks} |`,
  );
  const table = ['| gate | in `npm run check` | at most | what it checks |', '|---|---|---|---|', ...rows].join('\n');
  const place = /(<!-- gates, by npm run generate -->\n).*?(<!-- end of gates -->)/su;
  if (!place.test(page)) throw new Error('docs/CONTRIBUTING.md has no place for the gates.');
  return page.replace(place, (_, start, end) => `${start}${table}\n${end}`);
}

const textOf = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '');

/** The table of rooms is TypeScript, which Node cannot read by itself. */
async function houseFiles() {
  const vite = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const page = await vite.ssrLoadModule('/property-tests/source/house-page.ts');
    return await page.houseFiles(root, textOf('docs/house.md'));
  } finally {
    await vite.close();
  }
}

async function filesWanted() {
  const { errorCatalogue } = await import('../dist/contract/error-catalogue.js');
  const { openApiDocument } = await import('../dist/contract/openapi-document.js');
  const { workflowSchema } = await import('../dist/definitions/source/workflow-schema.js');
  return {
    'docs/CONTRIBUTING.md': withGates(textOf('docs/CONTRIBUTING.md')),
    'docs/http-api.md': httpApiPage(openApiDocument(''), errorCatalogue),
    'docs/workflow.schema.json': `${JSON.stringify(workflowSchema(), null, 2)}\n`,
    ...(await houseFiles()),
  };
}

if (!isBuilt() && !build()) process.exit(1);
const check = process.argv.includes('--check');
for (const [file, wanted] of Object.entries(await filesWanted())) {
  if (textOf(file) === wanted) continue;
  if (check) {
    process.stderr.write(`${file} is not what the sources say. Write it anew and commit it: npm run generate\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(root, file), wanted);
    process.stdout.write(`wrote ${file}\n`);
  }
}
