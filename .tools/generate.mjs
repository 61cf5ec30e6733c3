// npm run generate writes the files that are made from the sources; npm run generated says whether they are up to date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, isBuilt, root } from './build.mjs';
import { httpApiPage } from './http-api-page.mjs';

const files = {
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
  const wanted = await make();
  if (existsSync(path) && readFileSync(path, 'utf8') === wanted) continue;
  if (check) {
    process.stderr.write(`${file} is not what the sources say. Write it anew and commit it: npm run generate\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(path, wanted);
    process.stdout.write(`wrote ${file}\n`);
  }
}
