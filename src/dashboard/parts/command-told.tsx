import { useCommandLine } from '../api/use-command-line.js';
import { CopyButton } from './copy-button.js';

export interface CommandToldProps {
  /** After the program's name. */
  readonly words: readonly string[];
  readonly label: string;
}

/** A command as it runs on the machine of this server, to copy. */
export function CommandTold({ words, label }: CommandToldProps) {
  const command = useCommandLine()(words);
  return (
    <div className="command">
      <pre>{command}</pre>
      <CopyButton text={command} label={label} />
    </div>
  );
}
