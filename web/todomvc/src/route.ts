import { useEffect, useState } from 'preact/hooks';
import type { Shown } from './task';

/** The filters by their routes, and what they let through. */
export const FILTERS = {
  all: { name: 'All', hash: '#/', passes: (_: Shown) => true },
  active: { name: 'Active', hash: '#/active', passes: (task: Shown) => !task.completed },
  completed: { name: 'Completed', hash: '#/completed', passes: (task: Shown) => task.completed },
} as const;

export type Filter = keyof typeof FILTERS;

/** The filter that the address names; all tasks, where it names none. */
function current(): Filter {
  const name = location.hash.replace(/^#!?\/?/, '');
  return name === 'active' || name === 'completed' ? name : 'all';
}

/** The filter of the address, also when that changes. */
export function useFilter(): Filter {
  const [filter, choose] = useState(current);
  useEffect(() => {
    const follow = () => choose(current());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return filter;
}
