import { FILTERS, type Filter } from '../route';

interface Given {
  active: number;
  completed: number;
  filter: Filter;
  clear: () => void;
}

/** How much is left to do, the filters, and a button that tidies up. */
export function Footer({ active, completed, filter, clear }: Given) {
  return (
    <footer class="footer" id="footer">
      <span class="todo-count" role="status">
        <strong>{active}</strong> {active === 1 ? 'item' : 'items'} left
      </span>
      <nav aria-label="Filters">
        <ul class="filters">
          {Object.entries(FILTERS).map(([key, { name, hash }]) => (
            <li key={key}>
              <a href={hash} class={key === filter ? 'selected' : ''} aria-current={key === filter ? 'page' : undefined}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {completed > 0 && (
        <button class="clear-completed" type="button" onClick={clear}>
          Clear completed
        </button>
      )}
    </footer>
  );
}
