import { limits } from '../base/limits.js';

/** Lets others have their turn in between, where thousands of things are done one after another. */
export class Pace {
  #since = performance.now();

  async breathe(): Promise<void> {
    if (performance.now() - this.#since < limits.indexSliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
