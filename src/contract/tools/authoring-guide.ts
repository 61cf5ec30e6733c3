/** How a good workflow is written, in a page. */
export const authoringGuide = `# Writing a workflow

A workflow is one YAML or JSON file. A run hands an agent one step at a time and records what came of it.

\`\`\`yaml
workflow: team.release            # namespace and name; wr is taken
title: Make a release
description: Use this to cut a release from main.   # when to choose it
version: 1.0.0
inputs:
  version: { type: string, required: true, description: The version to release }
steps:
  - id: check
    title: See that main is fit
    prompt: Run the whole test suite on main for \${{ inputs.version }}.
    sets:
      risk: { type: string, enum: [low, high], description: What could go wrong }
  - id: ask
    if: context.risk == "high"
    title: Agree on the risk
    prompt: Tell the user what could go wrong.
    confirm: true
\`\`\`

1. The description says when to use it: agents choose by that sentence.
2. A step for each thing that must not be skipped. Say what to do, how to know that it is done, and what to hand back.
3. \`sets\` declares each fact that a later condition or prompt reads; \`if\`, \`foreach\`, \`while\`, \`until\` and \`repeat\` take CEL expressions over \`inputs\`, \`context\`, \`outputs.<step>\`.
4. \`confirm: true\` stands before what cannot be undone; \`needs\` asks for what only the user has.
5. \`output\` asks for structured results with a JSON Schema; \`rules\` hold the notes to a form.
6. \`run: <catalog> <command>\` names a step that WorkRail does itself, with its parameters under \`with\` and its \`body\`; search_commands with commandId gives one to copy. An input with \`provider: { run, with, items, value, label }\` offers the user the choices of an API: list_providers finds one. A step that changes something is sent only once the user agrees.
7. What two workflows share is a routine: \`call\` it, or \`delegate\` to a sub-agent.

The way: validate_workflow until it says valid, preview_rendered with real inputs, save_workflow. A save never changes runs that have begun. The resource workrail://format has every key.
`;
