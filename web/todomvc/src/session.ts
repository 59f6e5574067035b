/** Where this tab, and no other page, keeps the token of the server; the browser of tables uses the same. */
const STORED = 'demat-token';

let token = sessionStorage.getItem(STORED) ?? '';
let entered: Promise<void> | undefined;
let enter: (() => void) | undefined;
let told: () => void = () => {};

/** Has `changed` called when a token is wanted, or none is any more. */
export function follow(changed: () => void): void {
  told = changed;
}

/** Whether the page has a token. */
export const hasToken = () => token !== '';

/** Whether the server wants a token that the page has not. */
export const isWanted = () => entered !== undefined;

/** The headers that say the token. */
export const authorization = (own = token): Record<string, string> => (own ? { Authorization: `Bearer ${own}` } : {});

/** Waits until somebody has given the token; all requests that the server refused for want of it go on then. */
export function wanted(): Promise<void> {
  if (!entered) {
    token = '';
    entered = new Promise((done) => (enter = done));
    told();
  }
  return entered;
}

/** Tries a token at a URL; gives what is wrong with it, or nothing. */
export async function logIn(given: string, url: string): Promise<string | undefined> {
  if (!given) return 'The server wants a token.';
  const wrong = 'This is not the token of the server.';
  // Nothing else can stand in a header.
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

/** Forgets the token, and all that was shown. */
export function logOut(): void {
  sessionStorage.removeItem(STORED);
  location.reload();
}
