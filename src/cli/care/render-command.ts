import path from 'node:path';
import { type RenderFormat, renderFormats } from '../../contract/session-rendered.js';
import { withRequests } from '../shell/with-requests.js';
import { byteWords } from '../print/byte-words.js';
import { exitCodes } from '../shell/exit-codes.js';
import { isFolder } from '../shell/folder-options.js';
import { nearName, outputPlace } from '../shell/output-place.js';
import { jsonLine } from '../print/json-line.js';
import { openPage } from '../print/page.js';
import { writeTo } from '../print/write-to.js';

export const runRender = withRequests('render', async ({ requests, parsed, environment, json, reject, misused }) => {
  const { workingFolder, stdout } = environment;
  const given = parsed.text('output');
  const asked = given === '-' ? undefined : given;
  const wanted = parsed.text('format')?.toLowerCase() ?? formatOf(asked);
  if (wanted === undefined)
    return misused(
      `a report is Markdown or HTML: name the file .md or .html, or give --format${/\.pdf$/iu.test(asked ?? '') ? '. To get a PDF, print the HTML from a browser' : ''}`,
    );
  const format = renderFormats.find((name) => name === wanted);
  if (format === undefined) return misused(`--format is ${renderFormats.join(' or ')}, not ${JSON.stringify(wanted)}`);
  const rendered = await requests.people.renderSession({
    session: parsed.words[0],
    format,
    to: asked === undefined ? undefined : outputPlace(asked, workingFolder),
    replace: parsed.has('force'),
  });
  if (!rendered.ok) return reject(rendered.error);
  const { file, size, text, damaged } = rendered.value;
  const page = openPage(environment, { to: text === undefined ? 'out' : 'err', given: parsed });
  if (json) environment.out(jsonLine(rendered.value));
  else if (text !== undefined) await writeTo(stdout)(Buffer.from(text));
  else page.say(`Wrote ${nearName(file ?? '', workingFolder)} (${byteWords(size)}).`);
  if (damaged && !json)
    page.say(
      `Part of the session could not be read; the report says which. For details: ${page.inline(['doctor'])}`,
      page.style.bad,
    );
  return damaged ? exitCodes.damage : exitCodes.done;
});

/** Undefined where the file's ending promises something else. */
function formatOf(file: string | undefined): RenderFormat | undefined {
  const ending = file === undefined || isFolder(file) ? '' : path.extname(file).toLowerCase();
  if (ending === '.html' || ending === '.htm') return 'html';
  return ['', '.md', '.markdown', '.txt'].includes(ending) ? 'md' : undefined;
}
