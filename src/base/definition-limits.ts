/** Bounds on what a workflow's author can make us do. Bytes unless the name says otherwise. */
export const definitionLimits = {
  /** One segment of a workflow id, a step id, the name of an input, a context key or a loop variable; characters. */
  name: 100,
  /** References to YAML anchors in one file, counted as they multiply. */
  yamlAliases: 100,
  /** Syntax nodes visited, elements and characters made while one expression is evaluated. */
  expressionWork: 1_000_000,
  /** Parsed expressions, compiled patterns and schemas kept for the next call; each its own count. */
  remembered: 1000,
  /** Violations reported of one file. */
  violations: 200,
  /** How deep folders of workflow files are searched. */
  folderDepth: 4,
} as const;
