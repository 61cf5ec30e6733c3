/** The schema that the first users of shared states described: a review in parts, with where each of them stands. */
export const reviewSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  required: ['status', 'tasks'],
  properties: {
    status: { type: 'string', enum: ['pending', 'in_progress', 'review', 'completed', 'failed'] },
    tasks: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'status'],
        properties: {
          name: { type: 'string' },
          status: { type: 'string', enum: ['pending', 'running', 'done', 'failed'] },
          result: { type: 'string' },
          assigned_to: { type: 'string' },
        },
      },
    },
    summary: { type: 'string' },
    metadata: { type: 'object' },
  },
};
