export interface Option {
  /** A list is a text that may be given again. */
  readonly kind: 'switch' | 'text' | 'list';
  /** Stands for the value in the help. */
  readonly value?: string;
  /** One letter that stands for the name: `-o`. */
  readonly short?: string;
  readonly says: string;
}

export type OptionTable = { readonly [name: string]: Option };
