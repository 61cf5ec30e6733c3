import { type DemoTale, type HandedIn, lines } from './demo-tale.js';

const till = { owner: 'shop', repo: 'till' };

type Named = Pick<DemoTale, 'session' | 'label'>;
const named = (session: string, title: string): Named => ({ session, label: { title, tags: ['github'] } });
const file = (session: string, symptom: string, words: string) => ({
  session,
  start: { workflowId: 'team.file_bug', session, context: { ...till, symptom, words } },
});

const protect = named('TILL-490', 'Protect main');
const known = named('TILL-491', 'The export leaves out orders: filed before');
const fresh = named('TILL-492', 'Refunds are printed twice');
const release = named('TILL-493', 'Wait for v2.4.0');

/** What is asked of a tracker: a rule for a branch, two bugs of which one is known, and a release. */
export const refundBug = {
  protect,
  known: file(known.session, 'The monthly export leaves out orders.', 'monthly export'),
  fresh: file(fresh.session, 'A refund is printed twice.', 'refund printed twice'),
  release: {
    run: { workflowId: 'team.await_release', session: release.session, inputs: { ...till, tag: 'v2.4.0' } },
  },
  labels: [protect, known, fresh, release],
  sameAs: {
    output: { notesMarkdown: 'Issue 31 is the same: orders of one second are left out at the border of a page.' },
    context: { sameAs: 31 },
  } satisfies HandedIn,
  differs: {
    output: { notesMarkdown: 'No open issue speaks of refunds.' },
    context: { sameAs: 0 },
  } satisfies HandedIn,
  report: {
    output: { notesMarkdown: 'Written from what the cashier said, and tried at till 3.' },
    context: {
      title: 'A refund is printed twice',
      text: lines(
        'Refund an order at a till with two printers.',
        '',
        '- Expected: one receipt.',
        '- Seen: Two receipts come out, three times of three.',
      ),
    },
  } satisfies HandedIn,
};
