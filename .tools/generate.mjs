// npm run generate writes the files that are made from the sources; npm run generated says whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Each file by what its text now is made into. */
const files = {
  'docs/CONTRIBUTING.md': withGates,
  'docs/http-api.md': async () => {
    const { openApiDocument } = await import('../dist/contract/openapi-document.js');
    return httpApiPage(openApiDocument(''));
  },
  'docs/workflow.schema.json': async () => {
    const { workflowSchema } = await import('../dist/definitions/source/workflow-schema.js');
    return `${JSON.stringify(workflowSchema(), null, 2)}\n`;
  },
};

if (!isBuilt() && !build()) process.exit(1);
const check = process.argv.includes('--check');
for (const [file, make] of Object.entries(files)) {
  const path = join(root, file);
  const found = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const wanted = await make(found);
  if (found === wanted) continue;
  if (check) {
    process.stderr.write(`${file} is not what the sources say. Write it anew and commit it: npm run generate\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, wanted);
    process.stdout.write(`wrote ${file}\n`);
  }
}
