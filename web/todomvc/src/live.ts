/** The longest wait before a connection is tried again, in milliseconds. */
const LONGEST_WAIT = 15_000;

/**
 * Tells of each change that anybody makes, and when the connection comes or goes.
 *
 * A page that nobody sees lets its connection go: browsers keep six for each server, over all tabs. When it is seen again,
 * it connects again, and that counts as a change.
 */
export function listen(url: string, changed: () => void, connected: (is: boolean) => void): void {
  let events: EventSource | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let wait = 500;

  function close() {
    events?.close();
    events = undefined;
    clearTimeout(waiting);
  }

  function open() {
    close();
    events = new EventSource(url);
    events.addEventListener('open', () => {
      wait = 500;
      connected(true);
    });
    // The server says hello when it has begun to listen: what happened before was not told.
    events.addEventListener('hello', changed);
    events.addEventListener('change', changed);
    events.addEventListener('error', () => {
      connected(false);
      // The browser's own tries are seconds apart, and end where the answer was no stream.
      close();
      waiting = setTimeout(open, wait);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    });
  }

  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  if (!document.hidden) open();
}
