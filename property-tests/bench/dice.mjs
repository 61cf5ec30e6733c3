/** Numbers that look random and are the same each time. */
export function dice(seed) {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return (sides) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const syllables = ['ba', 'co', 'di', 'fe', 'gu', 'lo', 'mi', 'ne', 'pa', 'ru', 'sa', 'te', 'vi', 'wo', 'za', 'qui'];

/** Words enough that it packs about as well as real notes do. */
export function prose(roll, bytes) {
  const words = [];
  for (let length = 0; length < bytes; length += words.at(-1).length + 1)
    words.push(Array.from({ length: 1 + roll(4) }, () => syllables[roll(syllables.length)]).join(''));
  return words.join(' ');
}
