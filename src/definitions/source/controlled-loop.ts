/** How a loop is written that an artifact decides. */
export const controlledLoop =
  '`control: true`, with `output: { contract: wr.contracts.loop_control }` on the step inside that decides';
