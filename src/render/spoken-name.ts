/** `changedFiles`, `review.changed_files` and `mr-title` as a reader would write them. */
export function spokenName(name: string): string {
  const words = name
    .replaceAll(/[._-]+/gu, (joint) => (joint === '.' ? ': ' : ' '))
    .replaceAll(
      /(\p{Ll}|\d)(\p{Lu})(?=\p{Ll})/gu,
      (_, before: string, letter: string) => `${before} ${letter.toLowerCase()}`,
    )
    .replaceAll(/\b(?:api|id|json|mr|pr|ui|url)\b/giu, (short) => short.toUpperCase())
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}
