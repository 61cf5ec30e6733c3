/** `Step 12 of about 19`: which step it is, and to about how many the run comes where that is known. */
export function stepNumber(number: number, about: number | undefined): string {
  return `Step ${number}${about === undefined || about < number ? '' : ` of about ${about}`}`;
}
