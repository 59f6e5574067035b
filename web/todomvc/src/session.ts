/** Key in sessionStorage, so only this tab has the token. The table browser uses the same key. */
const STORED = 'demat-token';

let token = sessionStorage.getItem(STORED) ?? '';
let entered: Promise<void> | undefined;
let enter: (() => void) | undefined;
let told: () => void = () => {};

/** Registers a callback for when the login dialog should open or close. */
export function follow(changed: () => void): void {
  told = changed;
}

/** Whether the page has a token. */
export const hasToken = () => token !== '';

/** Whether the server requires a token and the page has none yet. */
export const isWanted = () => entered !== undefined;

/** Returns the headers that carry the token. */
export const authorization = (own = token): Record<string, string> => (own ? { Authorization: `Bearer ${own}` } : {});

/** Waits until the user has logged in; all requests that the server refused then continue. */
export function wanted(): Promise<void> {
  if (!entered) {
    token = '';
    entered = new Promise((done) => (enter = done));
    told();
  }
  return entered;
}

/** Tries a token at a URL. Returns an error message, or nothing if the server accepts it. */
export async function logIn(given: string, url: string): Promise<string | undefined> {
  if (!given) return 'The server wants a token.';
  const wrong = 'This is not the token of the server.';
  // A header can't contain any other characters.
  if (!/^[!-~]+$/.test(given)) return wrong;
  try {
    const answer = await fetch(url, { headers: authorization(given), cache: 'no-cache' });
    if (answer.status === 401) return wrong;
    if (!answer.ok) return `The server answered ${answer.status}.`;
  } catch {
    return 'The server can’t be reached.';
  }
  token = given;
  sessionStorage.setItem(STORED, given);
  entered = undefined;
  enter?.();
  told();
  return undefined;
}

/** Forgets the token and reloads the empty page. */
export function logOut(): void {
  sessionStorage.removeItem(STORED);
  location.reload();
}
