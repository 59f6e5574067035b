import { useEffect, useRef, useState } from 'preact/hooks';
import { TASKS } from '../server';
import { logIn } from '../session';

/** The login dialog: asks for the server's token, above everything else. */
export function LogIn() {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [wrong, say] = useState('');

  useEffect(() => dialog.current?.showModal(), []);

  async function entered(event: Event) {
    event.preventDefault();
    const field = input.current;
    if (!field) return;
    const refusal = await logIn(field.value.trim(), `${TASKS}?limit=1`);
    say(refusal ?? '');
    if (refusal) field.select();
  }

  return (
    // Reopens if the user closes it: without a token there is nothing to show.
    <dialog ref={dialog} class="log-in" aria-labelledby="log-in-title" onClose={() => dialog.current?.showModal()}>
      <h2 id="log-in-title">Log in</h2>
      <form onSubmit={entered}>
        <label>
          Token of this server
          <input ref={input} type="password" autocomplete="current-password" autofocus aria-invalid={wrong !== ''} />
        </label>
        <p role="alert">{wrong}</p>
        <button>Log in</button>
      </form>
    </dialog>
  );
}
