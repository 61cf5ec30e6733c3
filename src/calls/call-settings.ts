/** How a catalog shows who calls. Every value is a text that may hold `${{ secrets.NAME }}`. */
export type CatalogAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'header' | 'query' | 'cookie'; readonly name: string; readonly value: string }
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | {
      readonly kind: 'client_credentials';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scopes?: readonly string[];
      /** Where the id and the secret of the client stand: as Basic, unless the server wants them in the body. */
      readonly clientIn?: 'header' | 'body';
    };

/** How one catalog is called, as the person configured it. */
export interface CallSettings {
  /** Its id. */
  readonly catalog: string;
  /** Its origin is the only one that credentials go to. */
  readonly baseUrl: string;
  readonly auth?: CatalogAuth;
  readonly headers?: Readonly<Record<string, string>>;
  /** Addresses beyond public ones: `127.0.0.1`, `10.0.0.0/8`, `localhost`, `localhost:8080`, `[::1]:3000`. */
  readonly allow?: readonly string[];
  readonly limits?: { readonly timeoutMs?: number; readonly answerBytes?: number; readonly atOnce?: number };
}
