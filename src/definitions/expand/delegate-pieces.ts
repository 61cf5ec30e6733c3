import type { Delegate, PromptStep } from '../compiled/compiled-workflow.js';

/** The pieces to delegate, each with all that it is told. What several have in common stands with the first of them, and the others point there. */
export function delegatePieces(
  { delegates = [], briefs = [] }: Pick<PromptStep, 'delegates' | 'briefs'>,
  applies: (condition: string | undefined) => boolean,
): readonly Delegate[] {
  const told = new Map<string, string>();
  return delegates
    .filter((piece) => applies(piece.if))
    .map((piece): Delegate => {
      const { brief: id, text, ...rest } = piece;
      const brief = briefs.find((one) => one.id === id);
      if (id === undefined || brief === undefined) return piece;
      const before = told.get(id);
      if (before === undefined) told.set(id, piece.title);
      const parts = [
        before === undefined ? brief.text : `All that is told under “${before}” holds here too.`,
        ...(text === '' ? [] : [`In this piece\n${text}`]),
      ];
      return { ...rest, text: parts.join('\n\n') };
    });
}
