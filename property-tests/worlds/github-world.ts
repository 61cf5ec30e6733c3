import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { githubDocument } from '../../src/cli/demo/github-document.js';
import { type Conclusion, type SmallGitHub, startSmallGitHub } from '../../src/cli/demo/small-github.js';
import type { Requests } from '../../src/requests/requests.js';
import { allowLocal } from './mini-api.js';
import { makeRequestsWorld, type RequestsWorld } from './requests-world.js';

export interface GitHubWorld {
  readonly world: RequestsWorld;
  readonly github: SmallGitHub;
  readonly requests: Requests;
  close(): Promise<void>;
}

/** A world with the small GitHub of the demo, its catalog and its token. */
export async function makeGitHubWorld({
  bundled,
  conclusion,
}: { readonly bundled?: string; readonly conclusion?: Conclusion } = {}): Promise<GitHubWorld> {
  const world = makeRequestsWorld({ seed: 3, ...(bundled !== undefined && { bundled }) });
  const github = await startSmallGitHub(conclusion);
  mkdirSync(join(world.folder, 'config', 'workrail'), { recursive: true });
  const catalog = join(world.data, 'catalogs', 'github');
  mkdirSync(catalog, { recursive: true });
  writeFileSync(join(catalog, 'document.json'), JSON.stringify(githubDocument(github.origin)));
  const settings = {
    version: 1,
    enabled: true,
    allow: ['127.0.0.1'],
    auth: { kind: 'bearer', token: '${{ secrets.GITHUB_TOKEN }}' },
  };
  writeFileSync(join(catalog, 'catalog.json'), JSON.stringify(settings));
  allowLocal(world, 'github');
  const requests = world.open();
  const held = { value: github.token };
  const kept = await requests.people.setSecret({ catalogId: 'github', name: 'GITHUB_TOKEN', held });
  if (!kept.ok) throw new Error(kept.error.message);
  return {
    world,
    github,
    requests,
    close: async () => {
      await world.close();
      await github.close();
    },
  };
}
