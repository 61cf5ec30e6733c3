/** Whether a command is sent a second time, said in the same words everywhere. */
export const repeatableWords = (isRepeatable: boolean): string =>
  isRepeatable ? 'sent again if no answer comes' : 'never sent again once it may have taken effect';
