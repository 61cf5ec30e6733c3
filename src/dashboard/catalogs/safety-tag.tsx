import type { SafetyWord } from '../../base/closed-sets.js';

const looks: Readonly<Record<SafetyWord, { readonly tone: string; readonly title: string }>> = {
  safe: { tone: 'good', title: 'It reads, and changes nothing' },
  changes: { tone: 'warning', title: 'It changes something' },
  deletes: { tone: 'grave', title: 'It deletes something' },
};

/** What calling a command may do. */
export const SafetyTag = ({ safety }: { readonly safety: SafetyWord }) => (
  <span className={`tag ${looks[safety].tone}`} title={looks[safety].title}>
    {safety}
  </span>
);
