/** A gap for an agreement that nobody gave: whoever went past it cannot settle it by their own word. */
export const isAgreementGap = ({ category, reason }: { readonly category: string; readonly reason: string }): boolean =>
  category === 'confirmation' && reason === 'needs_user_approval';
