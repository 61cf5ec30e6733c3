// Takes the place of what the MCP SDK brings for its node servers: their process, and a validator that is not loaded.
export { default as process } from 'node:process';

export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('no schema is validated by the MCP SDK here');
  }
}
