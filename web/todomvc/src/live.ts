import { authorization, wanted } from './session';

/** The longest wait before a connection is tried again, in milliseconds. */
const LONGEST_WAIT = 15_000;

/** The longest silence before reconnecting, in milliseconds. The server sends a keep-alive more often. */
const SILENCE = 45_000;

/**
 * Tells of each change that anybody makes, and when the connection comes or goes.
 *
 * A page that nobody sees lets its connection go: browsers keep six for each server, over all tabs. When it is seen again,
 * it connects again, and that counts as a change.
 */
export function listen(url: string, changed: () => void, connected: (is: boolean) => void): void {
  let listening = new AbortController();
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let wait = 500;

  function close() {
    listening.abort();
    clearTimeout(waiting);
  }

  async function open() {
    close();
    const { signal } = (listening = new AbortController());
    try {
      await follow(signal);
    } catch {
      // Treated like the end of the stream.
    }
    if (signal.aborted) return;
    connected(false);
    waiting = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  }

    /** Reads events until the stream ends. An EventSource can't send the token. */
  async function follow(signal: AbortSignal): Promise<void> {
    const answer = await fetch(url, { headers: { Accept: 'text/event-stream', ...authorization() }, cache: 'no-store', signal });
    if (answer.status === 401) {
      await wanted();
      return follow(signal);
    }
    if (!answer.ok || !answer.body) return;
    wait = 500;
    connected(true);
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; ; ) {
      const silent = setTimeout(open, SILENCE);
      const { done, value } = await reader.read().finally(() => clearTimeout(silent));
      if (done || signal.aborted) return;
      const events = (text + value).split('\n\n');
      text = events.pop() ?? '';
      // Reload after `hello`, too: changes before it were not sent.
      if (events.some((event) => /^event: (hello|change)$/m.test(event))) changed();
    }
  }

  document.addEventListener('visibilitychange', () => (document.hidden ? close() : void open()));
  if (!document.hidden) void open();
}
