import { memo, useMemo } from 'react';
import { notesHtml } from '../../render/notes-html.js';

/** What an agent or a person wrote, in Markdown. Nothing in it runs or loads: the renderer of the report rebuilds it from an allow list. */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  const html = useMemo(() => ({ __html: notesHtml(text) }), [text]);
  return <div className="written" dangerouslySetInnerHTML={html} />;
});
