import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Steps enough that no play comes to their end, and nothing that a step must hand back. */
const chain = `workflow: user.chain
title: A chain
description: Use this to try the server out.
version: 1.0.0
steps:
  - id: chain
    repeat: 1000
    steps:
      - id: link
        notes: optional
        prompt: Make link \${{ iteration }}.
`;

/** A schema that any object fits, as the program would have registered it. */
const anyObject = {
  schema_id: 'schema_ba15fa587032',
  name: 'any',
  version: 1,
  created_at: '2026-01-02T03:04:05.678Z',
  json_schema: { type: 'object' },
};

/** One installation in a folder: home, configuration, workspace and data root, and nothing outside. */
export function makeWorld(folder) {
  const inside = (name) => join(folder, name);
  for (const name of ['home', 'share', 'workspace', 'config/workrail/workflows', 'config/workrail/schemas/any'])
    mkdirSync(inside(name), { recursive: true });
  writeFileSync(join(inside('config'), 'workrail', 'workflows', 'chain.yaml'), chain);
  writeFileSync(join(inside('config'), 'workrail', 'schemas', 'any', '1-a2c79926.json'), JSON.stringify(anyObject));
  return worldAt(folder);
}

export function worldAt(folder, data = 'data') {
  const inside = (name) => join(folder, name);
  return {
    folder,
    dataDir: inside(data),
    workspace: inside('workspace'),
    home: inside('home'),
    config: join(inside('config'), 'workrail'),
    env: { HOME: inside('home'), XDG_CONFIG_HOME: inside('config'), XDG_DATA_HOME: inside('share'), TZ: 'UTC' },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export function copyWorld(from, folder, data) {
  cpSync(from.folder, folder, { recursive: true, preserveTimestamps: true });
  return worldAt(folder, data);
}
