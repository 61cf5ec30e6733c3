import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { notesHtml } from '../../render/notes-html.js';
import { CopyButton } from './copy-button.js';
import { paintCode } from './paint-code.js';

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
