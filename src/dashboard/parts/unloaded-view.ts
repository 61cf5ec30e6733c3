/** The files of a view could not be had: nobody answers, or who answers is another version. */
export class UnloadedView extends Error {
  constructor(cause: unknown) {
    super('the files of this view could not be loaded', { cause });
    this.name = 'UnloadedView';
  }
}
