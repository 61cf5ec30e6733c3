import type { DocumentKind } from '../../contract/catalogs-told.js';

export const kindWords: Readonly<Record<DocumentKind, string>> = {
  openapi_2: 'OpenAPI 2.0',
  openapi_3: 'OpenAPI 3.0',
  openapi_3_1: 'OpenAPI 3.1',
};
