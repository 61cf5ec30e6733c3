declare const inPlace: unique symbol;

/**
 * A value that its owner goes on changing in place. It is good until the next wait: who needs more of it takes that out
 * before. Nothing is there at run time; the mark lets `Lasting` tell such values from those that may be kept.
 */
export interface InPlace {
  readonly [inPlace]?: true;
}

type Less = [0, 0, 1, 2, 3];
type Plain = string | number | boolean | bigint | symbol | null | undefined;

/** Whether a type holds what changes in place, be it a few levels down. Who promises something has waited already. */
type Holds<T, D extends number> = T extends Plain | ((...args: never) => unknown)
  ? false
  : T extends PromiseLike<unknown>
    ? true
    : typeof inPlace extends keyof T
      ? true
      : D extends 0
        ? false
        : T extends ReadonlyMap<infer K, infer V>
          ? Holds<K | V, Less[D]>
          : T extends Iterable<infer V>
            ? Holds<V, Less[D]>
            : { [K in keyof T]-?: Holds<T[K], Less[D]> }[keyof T];

/** What may be kept across a wait. Of a type that holds what changes in place, or waits itself, only a sentence is left. */
export type Lasting<T> =
  true extends Holds<T, 4> ? { readonly 'it changes in place: take from it what you need, and no more': never } : T;
