import type { ReactNode } from 'react';

export interface ButtonProps {
  readonly onClick?: () => void;
  readonly children: ReactNode;
  readonly look?: 'plain' | 'main' | 'bare' | 'grave';
  readonly small?: boolean;
  /** Said in place of the words inside, where those are a sign. */
  readonly label?: string;
  readonly title?: string;
  /** Stays in the order of the tab key, and says that it does nothing. */
  readonly disabled?: boolean;
  readonly pressed?: boolean;
  /** Sends the form that it stands in. */
  readonly submit?: boolean;
}

export function Button({
  onClick,
  children,
  look = 'plain',
  small = false,
  label,
  title,
  disabled = false,
  pressed,
  submit = false,
}: ButtonProps) {
  const name = ['button', ...(look === 'plain' ? [] : [look]), ...(small ? ['small'] : [])].join(' ');
  return (
    <button
      type={submit ? 'submit' : 'button'}
      className={name}
      onClick={disabled ? undefined : onClick}
      aria-disabled={disabled || undefined}
      aria-pressed={pressed}
      aria-label={label}
      title={title ?? label}
    >
      {children}
    </button>
  );
}
