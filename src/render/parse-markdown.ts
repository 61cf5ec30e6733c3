import { parse, postprocess, preprocess } from 'micromark';
import { gfm } from 'micromark-extension-gfm';

export interface MarkdownToken {
  readonly type: string;
  readonly start: { readonly offset: number };
  readonly end: { readonly offset: number };
}

const syntax = gfm();

/** What a Markdown reader would see in a text: every token, where it is entered. */
export function parseMarkdown(markdown: string): readonly MarkdownToken[] {
  const events = postprocess(
    parse({ extensions: [syntax] })
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );
  return events.flatMap(([way, token]) => (way === 'enter' ? [token] : []));
}
