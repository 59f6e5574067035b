import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../live';
import { FILTERS, useFilter } from '../route';
import { follow, hasToken, isWanted, logOut } from '../session';
import { MOST, TASKS } from '../server';
import { Tasks } from '../tasks';
import { Footer } from './footer';
import { Item } from './item';
import { LogIn } from './log_in';
import { NewTask } from './new_task';
import { Notice } from './notice';

/** The tasks, and a draw of the page after each change of them. */
function useTasks(): { tasks: Tasks; connected: boolean } {
  const [, draw] = useState(0);
  const [connected, setConnected] = useState(true);
  const kept = useRef<Tasks | null>(null);
  const tasks = (kept.current ??= new Tasks(() => draw((count) => count + 1)));
  useEffect(() => {
    follow(() => draw((count) => count + 1));
    void tasks.refresh();
    listen(TASKS, () => void tasks.refresh(), setConnected);
  }, []);
  return { tasks, connected };
}

export function App() {
  const { tasks, connected } = useTasks();
  const filter = useFilter();
  const all = tasks.shown();
  const completed = all.filter((task) => task.completed);
  const active = all.length - completed.length;

  /** Gives all tasks the same state, where they do not have it. */
  const toggleAll = (wanted: boolean) => {
    for (const task of all) if (task.completed !== wanted) void tasks.set(task.key, { completed: wanted });
  };
  const clear = () => {
    for (const task of completed) void tasks.remove(task.key);
    document.querySelector<HTMLElement>('.new-todo')?.focus();
  };

  return (
    <>
      <main>
        <section class="todoapp">
          <NewTask add={(title) => tasks.add(title)} />
          {all.length > 0 && (
            <>
              <section class="main" id="main" aria-label="Tasks">
                <input
                  id="toggle-all"
                  class="toggle-all"
                  type="checkbox"
                  checked={active === 0}
                  onChange={(event) => toggleAll(event.currentTarget.checked)}
                />
                <label for="toggle-all">Mark all as complete</label>
                <ul class="todo-list">
                  {all.filter(FILTERS[filter].passes).map((task) => (
                    <Item key={task.key} task={task} tasks={tasks} filtered={filter !== 'all'} />
                  ))}
                </ul>
              </section>
              <Footer active={active} completed={completed.length} filter={filter} clear={clear} />
            </>
          )}
        </section>
      </main>
      <Notice tasks={tasks} connected={connected} />
      {isWanted() && <LogIn />}
      <footer class="info">
        {hasToken() && (
          <p>
            <button type="button" class="log-out" onClick={logOut}>
              Log out
            </button>
          </p>
        )}
        {tasks.more && <p>The newest {MOST.toLocaleString('en')} tasks are shown.</p>}
        <p>Double-click to edit a todo, or press F2</p>
        <p>
          Kept by Demat; <a href="-/">browse the table</a>
        </p>
        <p>
          Part of <a href="https://todomvc.com">TodoMVC</a>
        </p>
      </footer>
    </>
  );
}
