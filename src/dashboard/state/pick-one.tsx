import { type ReactNode, useId } from 'react';

export interface PickOneProps {
  readonly label: string;
  readonly chosen: string;
  readonly onChoose: (value: string) => void;
  /** Its options. */
  readonly children: ReactNode;
}

/** One of several, on one line with what they are. */
export function PickOne({ label, chosen, onChoose, children }: PickOneProps) {
  const field = useId();
  return (
    <span className="pick-one small">
      <label htmlFor={field} className="quiet">
        {label}
      </label>
      <select id={field} value={chosen} onChange={(event) => onChoose(event.target.value)}>
        {children}
      </select>
    </span>
  );
}
