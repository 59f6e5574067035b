import type { Tasks } from '../tasks';

/** What went wrong, and whether the server is there. */
export function Notice({ tasks, connected }: { tasks: Tasks; connected: boolean }) {
  return (
    <div class="messages">
      <div class="notice" role="alert" hidden={!tasks.errors.length}>
        {tasks.errors.map((error) => (
          <p key={error} dir="auto">
            {error}
          </p>
        ))}
        {tasks.errors.length > 0 && (
          <button type="button" class="dismiss" aria-label="Dismiss the message" onClick={() => tasks.dismiss()}>
            ×
          </button>
        )}
      </div>
      <p class="connection" role="status">
        {connected ? '' : 'The server is away; trying again…'}
      </p>
    </div>
  );
}
