export interface Claim {
  readonly says: string;
  readonly held: boolean;
  /** What was seen, where it is not what the claim says. */
  readonly seen?: string;
}

export interface Scene {
  readonly title: string;
  readonly claims: readonly Claim[];
}

/** Ends the play where going on makes no sense; the claims made so far stay. */
export class SceneBroken extends Error {
  override readonly name = 'SceneBroken';
}

export interface Claims {
  readonly scenes: readonly Scene[];
  readonly scene: (title: string) => void;
  /** Records whether something held; `seen` is shown where it did not. */
  readonly claim: (says: string, held: boolean, seen?: unknown) => void;
  /** The same, for what the rest of the play stands on. */
  readonly need: (says: string, held: boolean, seen?: unknown) => void;
}

/** Tells each scene to `onScene` and each claim to `onClaim` as it is made, so that a reader can follow. */
export function collectClaims(onScene: (title: string) => void, onClaim: (claim: Claim) => void): Claims {
  const scenes: { readonly title: string; readonly claims: Claim[] }[] = [];
  const claims: Claims = {
    scenes,
    scene(title) {
      scenes.push({ title, claims: [] });
      onScene(title);
    },
    claim(says, held, seen) {
      if (scenes.length === 0) claims.scene('Before the play');
      const claim: Claim = { says, held, ...(!held && seen !== undefined && { seen: excerpt(seen) }) };
      scenes.at(-1)?.claims.push(claim);
      onClaim(claim);
    },
    need(says, held, seen) {
      claims.claim(says, held, seen);
      if (!held) throw new SceneBroken(says);
    },
  };
  return claims;
}

function excerpt(seen: unknown): string {
  const text = typeof seen === 'string' ? seen : JSON.stringify(seen);
  return text.length > 600 ? `${text.slice(0, 600)} … (${text.length} characters)` : text;
}
