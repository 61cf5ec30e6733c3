/** The smallest workflow there is, for tests that are about files and not about what stands in them. */
export function tiny(id: string, title = 'A tiny one', more = ''): string {
  return `workflow: ${id}\ntitle: ${title}\ndescription: Use this in a test.\n${more}steps: [ { id: go, title: Go, prompt: Go on. } ]\n`;
}
