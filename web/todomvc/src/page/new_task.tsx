import { useEffect, useRef } from 'preact/hooks';

/** The heading, and the input where tasks begin. */
export function NewTask({ add }: { add: (title: string) => Promise<boolean> }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);

  async function entered(event: KeyboardEvent & { currentTarget: HTMLInputElement }) {
    // Enter may also be the end of a character that is being composed.
    if (event.key !== 'Enter' || event.isComposing) return;
    const field = event.currentTarget;
    const written = field.value;
    const title = written.trim();
    if (!title) return;
    field.value = '';
    // What was refused is given back, unless something else is being written already.
    if (!(await add(title)) && !field.value) field.value = written;
  }

  return (
    <header class="header">
      <h1>todos</h1>
      <input
        ref={input}
        class="new-todo"
        id="new-todo"
        placeholder="What needs to be done?"
        aria-label="What needs to be done?"
        autocomplete="off"
        dir="auto"
        onKeyDown={entered}
      />
    </header>
  );
}
