import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Shown } from '../task';
import type { Tasks } from '../tasks';

interface Given {
  task: Shown;
  tasks: Tasks;
  /** Whether the task may go from the list when its state changes. */
  filtered: boolean;
}

/** Where the keyboard was in this item, it goes on in the one behind it, or wherever there is one. */
function stepOff(item: HTMLElement | null): void {
  if (!item?.contains(document.activeElement)) return;
  const next = (item.nextElementSibling ?? item.previousElementSibling)?.querySelector<HTMLElement>('.toggle');
  (next ?? document.querySelector<HTMLElement>('.new-todo'))?.focus();
}

/** A task: its state, its title, and what can be done with it. */
export function Item({ task, tasks, filtered }: Given) {
  const [editing, setEditing] = useState(false);
  const item = useRef<HTMLLIElement>(null);
  const title = `title-${task.key}`;
  // After an edit the keyboard goes on where it was before it; that is not there while the input is.
  const back = useRef(false);
  useLayoutEffect(() => {
    if (!editing && back.current) item.current?.querySelector<HTMLElement>('.toggle')?.focus();
  }, [editing]);

  const toggle = (event: Event & { currentTarget: HTMLInputElement }) => {
    if (filtered) stepOff(item.current);
    void tasks.set(task.key, { completed: event.currentTarget.checked });
  };
  const remove = () => {
    stepOff(item.current);
    void tasks.remove(task.key);
  };
  const renamed = (wanted: string | null, typed: boolean) => {
    back.current = typed;
    setEditing(false);
    if (wanted === '') remove();
    else if (wanted !== null) void tasks.set(task.key, { title: wanted });
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'F2' || editing) return;
    event.preventDefault();
    setEditing(true);
  };

  const states = [task.completed && 'completed', editing && 'editing'].filter(Boolean).join(' ');
  return (
    <li ref={item} class={states} onKeyDown={pressed}>
      <div class="view">
        <input class="toggle" type="checkbox" aria-labelledby={title} checked={task.completed} onChange={toggle} />
        <label id={title} dir="auto" onDblClick={() => setEditing(true)}>
          {task.title}
        </label>
        <button
          class="rename"
          id={`rename-${task.key}`}
          type="button"
          aria-label="Edit"
          aria-labelledby={`rename-${task.key} ${title}`}
          onClick={() => setEditing(true)}
        />
        <button
          class="destroy"
          id={`destroy-${task.key}`}
          type="button"
          aria-label="Delete"
          aria-labelledby={`destroy-${task.key} ${title}`}
          onClick={remove}
        />
      </div>
      {editing && <Edit title={task.title} renamed={renamed} />}
    </li>
  );
}

interface Editing {
  title: string;
  /** Called once, with the new title, trimmed, or null for no change; and whether a key ended the edit. */
  renamed: (wanted: string | null, typed: boolean) => void;
}

/** The input that stands in for a title while it is edited. */
function Edit({ title, renamed }: Editing) {
  const input = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  // What somebody else makes of the title meanwhile does not touch what is being written.
  const first = useRef(title).current;
  const before = useRef('');

  // Before anything else is typed.
  useLayoutEffect(() => {
    const field = input.current;
    if (field) {
      before.current = field.value.trim(); // as the input has it, which knows no line breaks
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    }
    return () => {
      done.current = true; // an input that goes with its task saves nothing
    };
  }, []);

  function end(wanted: string | null, typed: boolean) {
    if (done.current) return;
    done.current = true;
    renamed(wanted === before.current ? null : wanted, typed);
  }
  function pressed(event: KeyboardEvent & { currentTarget: HTMLInputElement }) {
    if (event.isComposing) return;
    if (event.key === 'Enter') end(event.currentTarget.value.trim(), true);
    if (event.key === 'Escape') end(null, true);
  }

  return (
    <input
      ref={input}
      class="edit"
      aria-label="Title of the task"
      autocomplete="off"
      dir="auto"
      defaultValue={first}
      onKeyDown={pressed}
      onBlur={(event) => end(event.currentTarget.value.trim(), false)}
    />
  );
}
