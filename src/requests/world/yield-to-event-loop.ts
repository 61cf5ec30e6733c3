import { limits } from '../../base/limits.js';

/** Lets others have their turn in between, where thousands of things are done one after another. */
export class EventLoopYield {
  #since = performance.now();

  async yieldIfDue(): Promise<void> {
    if (performance.now() - this.#since < limits.indexSliceMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }
}
