import { stringify } from 'yaml';
import type { JsonValue } from '../../base/json-value.js';

/** A value as people write it in a workflow file, in blocks. */
export const yamlText = (value: JsonValue): string =>
  stringify(value, { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
