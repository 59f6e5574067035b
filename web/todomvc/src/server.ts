import { authorization, wanted } from './session';
import type { Part, Task } from './task';

/** The collection, beside the page. */
export const TASKS = new URL('tasks', document.baseURI).href;

/** So many are shown at most: the newest. */
export const MOST = 2000;

/** How long an answer may take, in milliseconds. */
const PATIENCE = 20_000;

/** What the server did not do, said so that people understand it. */
export class Refused extends Error {
  constructor(
    message: string,
    /** The status of HTTP, or 0 where there was no answer. */
    readonly status: number,
  ) {
    super(message);
  }
}

/** What an answer that is no success says of itself. */
async function reason(answer: Response): Promise<string> {
  try {
    const { error } = await answer.json();
    if (typeof error.message === 'string') return error.message;
  } catch {
    // Something between here and the server may have answered, in a way of its own.
  }
  return `the server answered ${answer.status} ${answer.statusText}`.trimEnd();
}

async function ask(method: string, url: string, body?: object): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...authorization() };
  if (body) headers['Content-Type'] = 'application/json';
  let answer: Response;
  try {
    answer = await fetch(url, {
      method,
      headers,
      body: body ? JSON.stringify(body) : null,
      cache: 'no-cache', // asks each time; the server sends the body only if it changed
      signal: AbortSignal.timeout(PATIENCE),
    });
  } catch {
    throw new Refused('the server can’t be reached', 0);
  }
  if (answer.status === 401) {
    await wanted();
    return ask(method, url, body);
  }
  if (!answer.ok) throw new Refused(await reason(answer), answer.status);
  return answer;
}

/** The value that an answer holds, which may break off before its end. */
async function value<T>(answer: Response): Promise<T> {
  try {
    return (await answer.json()) as T;
  } catch {
    throw new Refused('the server’s answer broke off', 0);
  }
}

/** A task after a change: in the answer, unless it is a long one, of which the server says no more than that it is done. */
async function changed(answer: Response, url: string): Promise<Task> {
  return value(answer.headers.has('Content-Type') ? answer : await ask('GET', url));
}

const one = (id: number) => `${TASKS}/${id}`;

/** The newest tasks, and whether there are more. */
export async function list(): Promise<{ tasks: Task[]; more: boolean }> {
  const tasks = await value<Task[]>(await ask('GET', `${TASKS}?order=-id&limit=${MOST + 1}`));
  return { tasks: tasks.slice(0, MOST), more: tasks.length > MOST };
}

export async function add(title: string): Promise<Task> {
  const answer = await ask('POST', TASKS, { title });
  return changed(answer, new URL(answer.headers.get('Location') ?? '', answer.url).href);
}

export async function change(id: number, part: Part): Promise<Task> {
  return changed(await ask('PATCH', one(id), part), one(id));
}

/** Removes a task; one that somebody else removed is gone all the same. */
export async function remove(id: number): Promise<void> {
  try {
    await ask('DELETE', one(id));
  } catch (error) {
    if (!(error instanceof Refused && error.status === 404)) throw error;
  }
}
