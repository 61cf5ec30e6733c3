import type { StandardSchemaV1 } from '@modelcontextprotocol/server';

/** What the SDK hands on as it came; it is judged where it is used. */
export const anything: StandardSchemaV1<Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'workrail',
    validate: (value) => ({ value: typeof value === 'object' && value !== null ? { ...value } : {} }),
  },
};
