import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';

const grammars = createLowlight({
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  markdown,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
});

/** A piece of code that looks one way; without a kind it is plain. */
export interface CodeToken {
  readonly text: string;
  readonly kind?: string;
}

/** Longer code stays plain: nobody waits for colours. */
const longest = 40_000;

/** Code as tokens of one look each, their texts together the code itself; as one plain token where the language is not known. */
export function highlightCode(text: string, language: string): readonly CodeToken[] {
  if (text.length > longest || !grammars.registered(language)) return [{ text }];
  const tokens: CodeToken[] = [];
  const gather = (nodes: readonly Written[], kind?: string): void => {
    for (const node of nodes) {
      if (node.type === 'text') tokens.push({ text: node.value, ...(kind !== undefined && { kind }) });
      else if (node.type === 'element') gather(node.children, kindOf(node) ?? kind);
    }
  };
  gather(grammars.highlight(language, text).children);
  return tokens;
}

type Written = ReturnType<typeof grammars.highlight>['children'][number];

function kindOf({ properties: { className } }: Extract<Written, { type: 'element' }>): string | undefined {
  const [first] = Array.isArray(className) ? className : [];
  return typeof first === 'string' ? first.replace('hljs-', '') : undefined;
}
