/** A task, as the server has it. */
export interface Task {
  readonly id: number;
  readonly title: string;
  readonly completed: boolean;
  readonly order: number | null;
}

/** What can be changed of a task. */
export type Part = Partial<Pick<Task, 'title' | 'completed'>>;

/** A task as it is shown. A new task has no id yet, but it has a permanent key. */
export interface Shown {
  readonly key: string;
  readonly title: string;
  readonly completed: boolean;
}

/** Where a task stands: where somebody put it, or in the order in which they came. */
export function place(task: Task): number {
  return task.order ?? task.id;
}
