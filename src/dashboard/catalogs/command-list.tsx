import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { CommandHere, CommandsPage } from '../../contract/catalogs-told.js';
import { visibleTitle } from '../../render/visible-text.js';
import { walkLinks } from '../keys/walk-links.js';
import { Button } from '../parts/button.js';
import { Link } from '../router/link.js';
import { SafetyTag } from './safety-tag.js';

export interface CommandListProps {
  readonly asked: UseInfiniteQueryResult<InfiniteData<CommandsPage>>;
  readonly label: string;
  /** Whether each says whose it is. */
  readonly ofMany: boolean;
}

/** Commands as they were found, the closest first. */
export function CommandList({ asked, label, ofMany }: CommandListProps) {
  const { data, hasNextPage, fetchNextPage, isFetchingNextPage } = asked;
  const commands = data?.pages.flatMap((page) => page.commands) ?? [];
  return (
    <div role="presentation" onKeyDown={(event) => walkLinks(event, '.command-row a')}>
      <ul className="command-list" aria-label={label}>
        {commands.map((command, index) => (
          <CommandRow
            key={`${command.catalog} ${command.command}`}
            command={command}
            first={index === 0}
            ofMany={ofMany}
          />
        ))}
      </ul>
      {hasNextPage ? (
        <p className="command-more">
          <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
            Show more commands
          </Button>
        </p>
      ) : null}
    </div>
  );
}

interface CommandRowProps {
  readonly command: CommandHere;
  readonly first: boolean;
  readonly ofMany: boolean;
}

function CommandRow({ command: { catalog, command, method, path, safety, summary }, first, ofMany }: CommandRowProps) {
  const request = `${method} ${path}`;
  return (
    <li className="command-row">
      <SafetyTag safety={safety} />
      <div className="command-words">
        <Link to={{ view: 'command', catalogId: catalog, command }} {...(first && { 'data-found': '' })}>
          <code>
            {ofMany ? <span className="quiet">{catalog} </span> : null}
            {visibleTitle(command)}
          </code>
        </Link>
        {summary === '' ? null : <span>{visibleTitle(summary)}</span>}
      </div>
      {command === request ? null : (
        <code className="quiet small one-line command-request" title={request}>
          {visibleTitle(request)}
        </code>
      )}
    </li>
  );
}
