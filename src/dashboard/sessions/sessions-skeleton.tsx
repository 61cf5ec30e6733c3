/** The board before its first rows have come, in its own size. */
export function SessionsSkeleton() {
  return (
    <div className="sessions-view" role="status" aria-label="Loading the sessions">
      <header className="sessions-head">
        <h1>Sessions</h1>
      </header>
      <div className="filter-bar" aria-hidden="true" />
      <div className="session-board skeleton-board skeleton shown-late" aria-hidden="true">
        {Array.from({ length: 8 }, (_, index) => (
          <div className="board-row" key={index}>
            <div className="coming">
              <span />
              <span />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
