import * as server from './server';
import { Refused } from './server';
import { place, type Part, type Shown, type Task } from './task';

/** What was asked of the server and not answered yet. */
type Change =
  | { readonly kind: 'add'; readonly key: string; readonly title: string }
  | { readonly kind: 'set'; readonly key: string; readonly part: Part }
  | { readonly kind: 'remove'; readonly key: string };

/** How long a change of somebody else waits for more of them, in milliseconds. */
const GATHERED = 40;

/** What all that is added waits for; no task is called so. */
const ADDED = 'added';

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

/** A title within a sentence. */
const quoted = (title: string) => `“${title.length > 200 ? `${title.slice(0, 200)}…` : title}”`;

/**
 * The tasks as they are shown: what the server said last, with the changes that it has not answered yet on top.
 *
 * A change shows at once. When the server has answered it, the answer counts; where it refused, the change is gone, and
 * what the server has is read again.
 */
export class Tasks {
  #kept: Task[] = [];
  #asked: Change[] = [];
  #more = false;
  #loaded = false;
  #errors: string[] = [];
  /** The last request of each task: they go out one after the other, so that what was asked for last wins. */
  #last = new Map<string, Promise<unknown>>();
  /** What tells those apart that were added here, and the numbers that they got. */
  #keys = new Map<number, string>();
  #ids = new Map<string, number>();
  #added = 0;
  /** Counts what was asked and answered: what was read meanwhile may be older than an answer. */
  #turn = 0;
  #stale = false;
  #reading = false;
  readonly #told: () => void;

  /** `told` is called after each change. */
  constructor(told: () => void) {
    this.#told = told;
  }

  /** Whether the tasks were loaded from the server. */
  get loaded(): boolean {
    return this.#loaded;
  }

  /** Whether there are more than are shown. */
  get more(): boolean {
    return this.#more;
  }

  /** What went wrong, until it is dismissed. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  dismiss(): void {
    this.#errors = [];
    this.#told();
  }

  /** All of them, in order. */
  shown(): Shown[] {
    let shown: Shown[] = this.#kept.map((task) => ({
      key: this.#key(task.id),
      title: task.title,
      completed: task.completed,
    }));
    const parts = new Map<string, Part>();
    const removed = new Set<string>();
    for (const change of this.#asked) {
      if (change.kind === 'add') shown.push({ key: change.key, title: change.title, completed: false });
      else if (change.kind === 'remove') removed.add(change.key);
      else parts.set(change.key, { ...parts.get(change.key), ...change.part });
    }
    if (removed.size) shown = shown.filter(({ key }) => !removed.has(key));
    if (parts.size) shown = shown.map((task) => ({ ...task, ...parts.get(task.key) }));
    return shown;
  }

  /** Adds a task; says whether the server took it. */
  add(title: string): Promise<boolean> {
    this.#added += 1;
    const key = `new-${this.#added}`;
    return this.#ask({ kind: 'add', key, title }, `${quoted(title)} was not added`, async () => {
      const task = await server.add(title);
      this.#ids.set(key, task.id);
      this.#keys.set(task.id, key);
      this.#keep([...this.#kept.filter(({ id }) => id !== task.id), task]);
    });
  }

  set(key: string, part: Part): Promise<boolean> {
    const wanted = part.title === undefined ? 'The task' : quoted(part.title);
    return this.#ask({ kind: 'set', key, part }, `${wanted} was not saved`, async (id) => {
      const task = await server.change(id, part);
      this.#keep(this.#kept.map((kept) => (kept.id === id ? task : kept)));
    });
  }

  remove(key: string): Promise<boolean> {
    return this.#ask({ kind: 'remove', key }, 'The task was not deleted', async (id) => {
      await server.remove(id);
      this.#keep(this.#kept.filter((kept) => kept.id !== id));
    });
  }

  /** Reads what the server has, once what was asked of it is answered. */
  async refresh(): Promise<void> {
    this.#stale = true;
    if (this.#reading || this.#asked.length) return; // who ends that comes back to this
    this.#reading = true;
    try {
      while (this.#stale && !this.#asked.length) {
        if (this.#loaded) await pause(GATHERED);
        if (this.#asked.length) break;
        this.#stale = false;
        const turn = this.#turn;
        const { tasks, more } = await server.list();
        if (turn !== this.#turn) {
          this.#stale = true;
          continue;
        }
        this.#more = more;
        this.#loaded = true;
        this.#keep(tasks);
        this.#told();
      }
    } catch (error) {
      this.#report('The tasks could not be read', error);
    } finally {
      this.#reading = false;
    }
  }

  #key(id: number): string {
    return this.#keys.get(id) ?? String(id);
  }

  #id(key: string): number | undefined {
    return key.startsWith('new-') ? this.#ids.get(key) : Number(key);
  }

  #keep(tasks: Task[]): void {
    this.#kept = tasks.sort((a, b) => place(a) - place(b) || a.id - b.id);
  }

  #report(what: string, error: unknown): void {
    const message = `${what}: ${error instanceof Error ? error.message : String(error)}.`;
    if (!this.#errors.includes(message)) this.#errors = [...this.#errors, message].slice(-3);
    this.#told();
  }

  #ask(change: Change, failed: string, request: (id: number) => Promise<void>): Promise<boolean> {
    this.#asked = [...this.#asked, change];
    this.#turn += 1;
    this.#told();
    // Tasks are added one after the other, since the order in which they come is theirs.
    const chains = change.kind === 'add' ? [ADDED, change.key] : [change.key];
    const before = Promise.all(chains.map((chain) => this.#last.get(chain)));
    const done = before.then(async () => {
      const id = this.#id(change.key);
      try {
        // What was refused when it was added, as was said then, can't be changed.
        if (change.kind !== 'add' && id === undefined) return false;
        await request(id ?? 0);
        return true;
      } catch (error) {
        this.#report(failed, error instanceof Refused && error.status === 404 ? 'somebody deleted it' : error);
        this.#stale = true;
        return false;
      } finally {
        this.#asked = this.#asked.filter((asked) => asked !== change);
        this.#turn += 1;
        for (const chain of chains) if (this.#last.get(chain) === done) this.#last.delete(chain);
        this.#told();
        if (this.#stale) void this.refresh();
      }
    });
    for (const chain of chains) this.#last.set(chain, done);
    return done;
  }
}
