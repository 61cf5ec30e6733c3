/** Colours come when they are wanted; where they cannot be had, the code is read without. */
export async function paintCode(codes: Iterable<Element>): Promise<void> {
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
