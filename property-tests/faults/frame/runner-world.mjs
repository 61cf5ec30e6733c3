import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { trackerDocument } from './issue-tracker.mjs';
import { makeWorld } from './world.mjs';

/** Reads, writes that may be sent once, one that may be sent again, a loop, and steps of an agent between them. */
const runs = `workflow: user.runs
title: Runs
description: Use this to see commands run.
steps:
  - id: about
    prompt: Say what it is about.
    notes: optional
    sets: { word: { type: string } }
  - id: look
    run: tracker issues/list
    with: { q: "\${{ context.word }}" }
    keep: { count: size(body) }
  - id: each
    repeat: 2
    collect: { filed: outputs.file.body.title }
    steps:
      - id: file
        run: tracker issues/create
        body: { title: "\${{ context.word }} \${{ iteration }}" }
  - id: replace
    run: tracker issues/replace
    with: { id: 7 }
    body: { title: "\${{ context.word }}" }
  - id: say
    prompt: Tell of \${{ context.filed }}.
    notes: optional
  - id: last
    run: tracker issues/create
    body: { title: "\${{ context.word }} last" }
returns: { filed: "\${{ context.filed }}", last: "\${{ outputs.last.body.title }}" }
`;

/** An installation with the workflow `user.runs`, whose commands go to that server. */
export async function makeRunnerWorld(build, folder, origin, { settings = {}, workflow = runs } = {}) {
  const world = makeWorld(folder);
  writeFileSync(join(world.config, 'workflows', 'runs.yaml'), workflow);
  await writeCatalog(build, world, origin, settings);
  return world;
}

export async function writeCatalog(build, world, origin, settings) {
  const catalog = join(world.dataDir, 'catalogs', 'tracker');
  mkdirSync(catalog, { recursive: true });
  writeFileSync(join(catalog, 'document.json'), JSON.stringify(trackerDocument(origin)));
  writeFileSync(
    join(catalog, 'catalog.json'),
    JSON.stringify({ version: 1, enabled: true, allow: ['127.0.0.1'], ...settings }),
  );
  const file = pathToFileURL(join(build.folder, 'dist', 'machine', 'global-preferences.js')).href;
  const { allowAddresses } = await import(file);
  const allowed = allowAddresses(
    world.config,
    { project: world.dataDir, catalog: 'tracker', addresses: ['127.0.0.1'] },
    'faults',
  );
  if (!allowed.ok) throw new Error(allowed.error);
}

/** Every line of every session, read in the plainest way; a line that was never finished is none. */
export function linesOf(world) {
  const sessions = join(world.dataDir, 'sessions');
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions).flatMap((session) => {
    const segments = join(sessions, session, 'segments');
    if (!existsSync(segments)) return [];
    return readdirSync(segments).flatMap((name) =>
      readFileSync(join(segments, name), 'utf8')
        .split('\n')
        .flatMap((line) => {
          try {
            return [{ ...JSON.parse(line), session }];
          } catch {
            return [];
          }
        }),
    );
  });
}
