export interface RowAsked {
  readonly room: number;
  readonly title: number;
  /** How wide each mark is, with the space before it. */
  readonly marks: readonly number[];
  /** How wide each wording of the caption is, the fullest first; none where the row has no caption. */
  readonly captions: readonly number[];
  /** How wide it is to say that some marks are left out. */
  readonly more: number;
}

export interface RowShared {
  /** What the title gets. */
  readonly title: number;
  /** How many marks are shown; where some are left out, how many is said. */
  readonly marks: number;
  /** Which wording of the caption is shown. */
  readonly caption: number | undefined;
}

/** A title is not cut shorter than this for the sake of marks: pixels, and as a part of the room. */
const titleAtLeast = { pixels: 120, part: 0.6 } as const;
/** Between the words of a step and the caption of its band. */
const apart = 16;

const sum = (widths: readonly number[]): number => widths.reduce((all, one) => all + one, 0);

/** Who gets how much of the room beside a step: the title first, then that there are marks, then the caption, then more marks. */
export function shareRow({ room, title, marks, captions, more }: RowAsked): RowShared {
  const wanted = Math.min(title, Math.max(titleAtLeast.pixels, room * titleAtLeast.part, room - sum(marks)));
  const all = fitting(marks, more, room - wanted);
  const captionBeside = (taken: number): number =>
    captions.findIndex((width) => wanted + taken + apart + width <= room);
  const withAll = captionBeside(all.taken);
  const caption = withAll < 0 ? captionBeside(Math.min(more, sum(marks))) : withAll;
  if (caption < 0) return { title: room - all.taken, marks: all.shown, caption: undefined };
  const left = room - apart - (captions[caption] ?? 0);
  const { shown, taken } = fitting(marks, more, left - wanted);
  return { title: left - taken, marks: shown, caption };
}

/** How many marks there is room for, with a place to say how many there is none for. */
function fitting(
  marks: readonly number[],
  more: number,
  room: number,
): { readonly shown: number; readonly taken: number } {
  let taken = 0;
  for (const [index, width] of marks.entries()) {
    const rest = index === marks.length - 1 ? 0 : more;
    if (taken + width + rest > room) return { shown: index, taken: taken + more };
    taken += width;
  }
  return { shown: marks.length, taken };
}
