import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { notesHtml } from '../../render/notes-html.js';
import { CopyButton } from './copy-button.js';

interface CodeShown {
  readonly text: string;
  /** Where its button stands. */
  readonly beside: HTMLElement;
}

/** What an agent or a person wrote, in Markdown. Nothing in it runs or loads: the renderer of the report rebuilds it from an allow list. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => ({ __html: notesHtml(text) }), [text]);
  const written = useRef<HTMLDivElement>(null);
  const [blocks, setBlocks] = useState<readonly CodeShown[]>([]);
  useEffect(() => {
    const found = [...(written.current?.querySelectorAll('pre') ?? [])].map((pre) => codeFrame(pre));
    setBlocks(found);
    void paintCode(written.current?.querySelectorAll('pre > code[class^="language-"]') ?? []);
  }, [html]);
  return (
    <>
      <div ref={written} className="written" dangerouslySetInnerHTML={html} />
      {blocks.map(({ text: code, beside }, index) =>
        createPortal(<CopyButton text={code} label="Copy the code" />, beside, String(index)),
      )}
    </>
  );
});

/** The code scrolls in its frame, and the button beside it does not. */
function codeFrame(pre: HTMLPreElement): CodeShown {
  const text = pre.textContent.replace(/\n$/u, '');
  // Other words may give the same page, which then stays as it is.
  if (pre.nextElementSibling instanceof HTMLSpanElement) return { text, beside: pre.nextElementSibling };
  const [frame, beside] = [document.createElement('div'), document.createElement('span')];
  frame.className = 'code-frame';
  pre.replaceWith(frame);
  frame.append(pre, beside);
  return { text, beside };
}

/** Colours come when they are wanted; where they cannot be had, the code is read without. */
async function paintCode(codes: Iterable<Element>): Promise<void> {
  const unpainted = [...codes].filter((code) => code.childElementCount === 0);
  if (unpainted.length === 0) return;
  const loaded = await import('./highlight-code.js').catch(() => undefined);
  if (loaded === undefined) return;
  for (const code of unpainted) {
    const tokens = loaded.highlightCode(code.textContent, code.className.replace('language-', ''));
    // Texts alone: no token becomes markup.
    code.replaceChildren(...tokens.map(({ text, kind }) => (kind === undefined ? text : painted(text, kind))));
  }
}

function painted(text: string, kind: string): HTMLElement {
  const span = document.createElement('span');
  span.className = `hl-${kind}`;
  span.textContent = text;
  return span;
}
