import type { ApiFailure } from '../api/api-failure.js';
import { Link } from '../router/link.js';
import { useRoute } from '../router/navigate.js';
import { waysOut, type WayOut } from '../router/ways-out.js';

/** What is asked for is not here: where to look instead. */
export function WaysOut({ failure }: { readonly failure?: ApiFailure }) {
  const route = useRoute();
  const { context = {} } = failure?.told ?? {};
  const { sessionId, closest } = context;
  // A run or a step is missing; its session is here.
  const back: readonly WayOut[] =
    typeof sessionId === 'string' && ('run' in context || 'node' in context)
      ? [{ to: { view: 'session', sessionId }, says: 'Back to session' }]
      : [];
  const near = Array.isArray(closest) ? closest.filter((name) => typeof name === 'string') : [];
  const ways = back.length > 0 ? [...back, ...waysOut({ view: 'sessions' })] : waysOut(route, near);
  return (
    <ul className="ways-out">
      {ways.map(({ to, says }, index) => (
        <li key={says}>
          <Link to={to} {...(index === 0 && { className: 'button main' })}>
            {says}
          </Link>
        </li>
      ))}
    </ul>
  );
}
