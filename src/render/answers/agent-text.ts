import { callText } from '../../contract/call-text.js';
import { blockerText } from '../blocker-text.js';
import { quoteLines, type Told, type Telling } from '../telling.js';

/** A telling as agents read it: calls and fields by their names, what belongs together in one paragraph. */
export function agentText(telling: Telling): string {
  return telling
    .filter((block) => block.length > 0)
    .map((block) => block.map(lineText).join('\n'))
    .join('\n\n');
}

function lineText(line: Told): string {
  switch (line.kind) {
    case 'text':
      return line.text;
    case 'heading':
      return `${line.marks ?? ''}${line.text}`;
    case 'item':
      return `${line.lead}${line.text}${jsonText(line)}`;
    case 'quote':
      return quoteLines(line.text).join('\n');
    case 'entry':
      return `${line.lead}${line.name}: ${line.facts.join('; ')}.`;
    case 'wanted':
      return `- ${line.pointer.slice(1).replace('/', '.')}${line.how}: ${line.text}${jsonText(line)}`;
    case 'missing':
      return `${line.index + 1}. ${line.blocker.code} ${blockerText(line.blocker)}`;
    case 'call':
      return `${line.lead}${callText(line.call)}${line.rest ?? ''}`;
  }
}

const jsonText = ({ json }: { readonly json?: object }): string => (json === undefined ? '' : JSON.stringify(json));
