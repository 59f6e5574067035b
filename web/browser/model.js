// Model of the table browser: values, requests, names, collections, the current view, and a page of rows.
'use strict';
// ---- the page's parts ------------------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);
const grid = document.querySelector('table');
const [head, body] = [grid.tHead, grid.tBodies[0]];

/** Creates an element with properties, attributes and children. A string child becomes a text node, never HTML. */
function make(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key in made && !key.startsWith('aria')) made[key] = value;
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Shows an error message until the user dismisses it or a request succeeds. */
function complain(message) {
  $('alert').hidden = !message;
  $('alert').firstElementChild.textContent = message;
}
$('alert').lastElementChild.onclick = () => complain('');

// ---- values: JSON, of which no digit is lost -------------------------------------------------------------------------

/** Parses JSON. Numbers that JavaScript would round keep their digits, if the browser supports `JSON.rawJSON`. */
function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === 'number' && JSON.rawJSON && context && String(value) !== context.source
      ? JSON.rawJSON(context.source) : value);
}

/** Shortens a long text, without splitting a surrogate pair. */
const brief = (text, most = 100) => (text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text);

/** Formats a value for display and editing. */
const shown = (value) => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** Parses the input of a field; returns JSON. Throws an Error that says what the field expects. */
function written(field, text) {
  if (field.kind === 'text') return JSON.stringify(text);
  const trimmed = text.trim();
  if (trimmed === '' && field.nullable) return 'null';
  let value;
  try { value = JSON.parse(trimmed); } catch { /* it does not fit */ }
  const fits = {
    int: /^-?\d+$/.test(trimmed) && value !== undefined, number: typeof value === 'number',
    bool: typeof value === 'boolean', json: value !== undefined,
  }[field.kind] || (value === null && field.nullable);
  if (!fits) throw new Error(`${field.name}: ${{ int: 'a whole number', number: 'a number', bool: 'true or false', json: 'JSON' }[field.kind]} is wanted`);
  return trimmed;
}

// ---- the server ------------------------------------------------------------------------------------------------------

/** An error response: its message, status, and the path of the value at fault. */
class Refused extends Error {
  constructor(message, status, path) { super(message); this.status = status; this.path = path; }
}

const root = new URL('..', location.href);
// sessionStorage: only this tab has the token, and the browser never sends it by itself, as it would a cookie.
const stored = 'demat-token';
let token = sessionStorage.getItem(stored) ?? '';

/** Sends a request and returns the response if it succeeds. Asks the user for the token if the server requires one. */
async function ask(url, { method = 'GET', body, type, match, signal, accept = 'application/json' } = {}) {
  for (;;) {
    const answer = await request(url, { method, body, type, match, signal, accept });
    if (answer.ok) return answer;
    if (answer.status === 401) {
      await logIn();
      continue;
    }
    const { error } = await answer.json().catch(() => ({}));
    throw new Refused(error?.message ?? `The server answered ${answer.status} ${answer.statusText}`, answer.status, error?.path);
  }
}

/** Sends one request with the token. Throws only if there is no response. */
function request(url, { method = 'GET', body, type, match, signal, accept = 'application/json' }) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = type ?? 'application/json';
  if (match) headers['If-Match'] = match;
  return fetch(url, { method, headers, body, signal, cache: 'no-cache' }).catch((error) => {
    throw error.name === 'AbortError' ? error : new Refused('The server can’t be reached.', 0);
  });
}

let entered; // pending while the login dialog is open

/** Shows the login dialog until the server accepts a token. All requests that wait for it then continue. */
function logIn() {
  entered ??= new Promise((done) => {
    const dialog = $('log-in');
    const [input, alert] = [dialog.querySelector('input'), dialog.querySelector('[role=alert]')];
    const say = (message) => { alert.textContent = message; input.setAttribute('aria-invalid', String(Boolean(message))); if (message) input.select(); };
    dialog.querySelector('form').onsubmit = async (event) => {
      event.preventDefault();
      const given = input.value.trim();
      if (!given) return say('The server wants a token.');
      // A header can't contain any other characters.
      if (!/^[!-~]+$/.test(given)) return say('This is not the token of the server.');
      token = given;
      const answer = await request(new URL('openapi.json', root), {}).catch((error) => error);
      if (!answer.ok) {
        token = '';
        return say(answer.status === 401 ? 'This is not the token of the server.' : answer.message ?? `The server answered ${answer.status}.`);
      }
      sessionStorage.setItem(stored, token);
      entered = undefined;
      input.value = '';
      $('log-out').hidden = false;
      dialog.close();
      done();
    };
    say('');
    token = '';
    // Reopens the dialog if the user closes it: without a token there is nothing to show.
    dialog.onclose = () => entered && dialog.showModal();
    dialog.showModal();
  });
  return entered;
}

/** Forgets the token and reloads the empty page. */
function logOut() {
  sessionStorage.removeItem(stored);
  location.reload();
}
$('log-out').hidden = !token;
$('log-out').onclick = logOut;

// ---- names in addresses: the only place where they are encoded, and the only one where they are decoded -------------------

/** Whether a name needs a tilde: browsers resolve it away in a path, or it looks like an escaped name. */
const odd = (name) => ['', '.', '..'].includes(name.replace(/^~+/, ''));

/** Returns the path for a list of names, each percent-encoded. */
const path = (names) => `/${names.map((name) => (odd(name) ? '~' : '') + encodeURIComponent(name.toWellFormed?.() ?? name)).join('/')}`;

/** Decodes a path to its names. */
function names(text) {
  const decoded = text.split('/').slice(1).map((part) => {
    try { part = decodeURIComponent(part); } catch { /* then it is one that nobody has encoded */ }
    return odd(part) && part.startsWith('~') ? part.slice(1) : part;
  });
  return decoded.length === 1 && !text.slice(1) ? [] : decoded;
}

/** Returns the URL on this server for a list of names. */
const urlOf = (all) => new URL(path(all).slice(1), root).href;

// ---- collections and their fields, from the OpenAPI document --------------------------------------------------------

/** Follows a schema's `$ref`. */
function resolve(document, schema) {
  for (let steps = 0; schema?.$ref && steps < 20; steps += 1) {
    const path = schema.$ref.replace(/^#\//, '').split('/');
    schema = path.reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  }
  return schema ?? {};
}

/** Returns the JSON schema and the media type of a request body or a response. */
function content(document, said) {
  const [type, { schema }] = Object.entries(resolve(document, said).content ?? {}).find(([key]) => /[/+]json$/.test(key)) ?? ['', {}];
  const own = resolve(document, schema);
  // The first alternative is the value; the others are metadata, such as a count.
  return { type, schema: own.anyOf ? resolve(document, own.anyOf[0]) : own };
}

/** Describes a record's field: its kind, choices, and whether it can be edited. */
function field(document, name, given, required) {
  const schema = resolve(document, given);
  const parts = [schema, ...(schema.anyOf ?? schema.oneOf ?? []).map((part) => resolve(document, part))];
  const types = new Set(parts.flatMap((part) => part.type ?? []));
  const choices = parts.flatMap((part) => part.enum ?? []).filter((choice) => choice !== null);
  const nullable = types.delete('null');
  const kind = { integer: 'int', number: 'number', boolean: 'bool', string: 'text' }[[...types].join()] ?? 'json';
  const fixed = Boolean(given.readOnly || schema.readOnly);
  const address = parts.some((part) => part.format === 'uri');
  const bytes = parts.some((part) => part.contentEncoding === 'base64');
  return { name, kind, nullable, choices, fixed, address, bytes, required, about: given.description ?? schema.description };
}

/** Returns the fields of a record's schema. */
const fields = (document, schema) => Object.entries(schema.properties ?? {})
  .map(([name, given]) => field(document, name, given, (schema.required ?? []).includes(name)));

/** Returns the collections: paths that return a list and have item paths below them. */
function collections(document) {
  const found = [];
  for (const [own, verbs] of Object.entries(document.paths ?? {})) {
    const base = own.replace(/\/$/, '');
    const below = Object.keys(document.paths).find((other) => other.startsWith(`${base}/{`) && /^\/\{[^/]+\}$/.test(other.slice(base.length)));
    if (!below || !verbs.get || own.includes('{')) continue;
    // A function may return a list, too, but not by pages.
    if (verbs.get['x-function']) continue;
    const list = content(document, verbs.get.responses?.['200']).schema;
    const one = document.paths[below];
    const record = list.items ? resolve(document, list.items) : content(document, one.get?.responses?.['200']).schema;
    const all = fields(document, record);
    const [post, patch] = [verbs.post, one.patch].map((verb) => verb && content(document, verb.requestBody));
    const patched = patch && new Set(fields(document, patch.schema).filter((each) => !each.fixed).map((each) => each.name));
    const given = post && fields(document, post.schema);
    // `x-key` lists the key's fields. Without a key, rows can't be told apart.
    const keys = (record['x-key'] ?? []).filter((name) => all.some((each) => each.name === name));
    // The server generates a row's own URL. It locates the row, and is not shown as a column.
    const link = all.find((each) => each.address && !keys.includes(each.name) && (each.fixed || !patched?.has(each.name)));
    const found_ = keys.length > 0 || link !== undefined;
    const wanted = (verbs.get.parameters ?? []).map((each) => resolve(document, each)).find((each) => each.in === 'query' && each.name === 'format');
    found.push({
      names: names(own), path: path(names(own)), title: names(own).join('/') || '/', url: urlOf(names(own)), keys, link: link?.name,
      all: all.filter((each) => each !== link).sort((one, other) => keys.includes(other.name) - keys.includes(one.name)),
      // The foreign keys are told with names that are relative to the route, of which all tables are children.
      relations: verbs.get['x-embed'] ?? [], root: names(own).slice(0, -1), conditions: Boolean(verbs.get['x-where']), facets: Boolean(verbs.get['x-facet']), searched: Boolean(verbs.get['x-search']),
      added: given?.filter((each) => !each.fixed), addType: post?.type,
      edits: (each) => found_ && Boolean(patch) && !each.fixed && !keys.includes(each.name) && (patched.size === 0 || patched.has(each.name)),
      editType: patch?.type, deletes: found_ && Boolean(one.delete),
      formats: wanted?.schema?.enum ?? ['json'],
    });
  }
  return found;
}

/** Returns the saved queries: what each is called, its SQL, its parameters, and the media types of its answers. */
function savedQueries(document) {
  return Object.entries(document.paths ?? {}).filter(([own, verbs]) => own.startsWith('/-/queries/') && verbs.get).map(([own, { get }]) => ({
    name: names(own).at(-1), url: urlOf(names(own)), sql: /^```sql\n([^]*)\n```$/m.exec(get.description ?? '')?.[1] ?? '',
    parameters: (get.parameters ?? []).map((each) => resolve(document, each)).filter((each) => each.in === 'query').map((each) => each.name),
    types: Object.keys(resolve(document, get.responses?.['200']).content ?? {}),
  }));
}

/** Returns a row's URL: its own one if that is in this collection, or one made of its key. Undefined if it has neither.
*/
function place(row) {
  const said = at.link && URL.canParse(row[at.link]) ? names(new URL(row[at.link]).pathname) : [];
  // Behind a proxy the server may be under a path prefix, which its own URLs lack.
  if (said.length > at.names.length && said.slice(-at.names.length - 1, -1).every((name, index) => name === at.names[index])) return urlOf([...at.names, said.at(-1)]);
  const parts = at.keys.map((name) => row[name]);
  if (!parts.length || parts.some((part) => part === null || part === undefined)) return undefined;
  return urlOf([...at.names, key(row)]);
}

// ---- where we are: the collection, and which of its rows; it stands in the address ---------------------------------------

let known = [];
let queries = []; // the saved queries
let at; // the collection
// An object without a prototype: a column's name may be `constructor` or the like.
const bare = (entries = []) => Object.assign(Object.create(null), Object.fromEntries(entries));
let view = { order: '', limit: 50, offset: 0, filters: bare(), hidden: [], row: undefined, search: '' };

/** Reads the view from the URL's hash: `#/tasks?order=-id&offset=50&filter.title=milk`. */
function follow() {
  if (location.hash === '#overview') { rows = []; return overview(); }
  const [named, query] = location.hash.slice(1).split(/\?(.*)/s);
  if (named.startsWith('query/')) { rows = []; return queryPage(named.slice(6), new URLSearchParams(query)); }
  if (!named && !known.length) { rows = []; return overview(); }
  const before = at;
  const wanted = path(names(named));
  drawn = undefined; // the columns may be others now
  at = named ? known.find((each) => each.path === wanted) : known[0];
  if (!at) return lost(names(named).join('/'));
  const asked = new URLSearchParams(query);
  const number = (name, least, otherwise) => Math.max(least, parseInt(asked.get(name), 10) || otherwise);
  const filtered = JSON.stringify([view.filters, view.search]);
  // Names in a list are encoded, since a column's name may have a comma.
  const hidden = (asked.get('hide') ?? '').split(',').filter(Boolean).map((name) => { try { return decodeURIComponent(name); } catch { return name; } });
  view = { hidden, row: asked.get('row') ?? undefined, search: at.searched ? asked.get('search') ?? '' : '', order: asked.get('order') ?? '', limit: Math.min(number('limit', 1, 50), 1000), offset: number('offset', 0, 0), filters: bare([...asked].filter(([name]) => name.startsWith('filter.')).map(([name, value]) => [name.slice(7), value])) };
  at.columns = at.all.filter((each) => !hidden.includes(each.name));
  if (!at.columns.length) at.columns = at.all;
  if (at !== before) {
    rows = [];
    body.replaceChildren();
    listen();
  }
  if (at !== before || JSON.stringify([view.filters, view.search]) !== filtered) total = undefined;
  if (view.row !== undefined) { drawn = undefined; $('collection').value = at.path; return rowPage(); }
  showPage();
  $('download').hidden = false;
  drawHead();
  drawColumns();
  load();
}

/** Clears the page and reports that the collection does not exist. */
function lost(name) {
  loading.abort();
  listening.abort();
  clearTimeout(again);
  rows = [];
  showPage();
  for (const part of [head, body]) part.replaceChildren();
  delete head.dataset.path;
  $('collection').value = $('where').textContent = $('empty').textContent = $('live').textContent = '';
  for (const id of ['add', 'clear', 'download', 'columns', 'search']) $(id).hidden = true;
  for (const id of ['first', 'previous', 'next', 'last']) $(id).disabled = true;
  document.title = 'Tables · Demat';
  complain(`There is no collection “${name}” here.`);
}

/** Changes the view, and the URL with it. */
function go(change, to = at.path) {
  const next = { ...view, row: undefined, ...change };
  const query = new URLSearchParams();
  if (next.order) query.set('order', next.order);
  if (next.limit !== 50) query.set('limit', next.limit);
  if (next.offset) query.set('offset', next.offset);
  if (next.search.trim()) query.set('search', next.search);
  if (next.hidden.length) query.set('hide', next.hidden.map(encodeURIComponent).join());
  for (const [name, text] of Object.entries(next.filters)) if (text !== '') query.set(`filter.${name}`, text);
  const hash = `#${to}${query.size ? `?${query}` : ''}`;
  // Follow at once, without waiting for `hashchange`: the next click depends on the new view.
  if (location.hash !== hash) history.pushState(null, '', hash);
  follow();
}

/** Translates a filter's text to a condition of the server's `where`; undefined if a parameter says the same. */
function condition({ name, kind, choices }, text) {
  if (!at.conditions) return undefined;
  const field = `\`${name.replaceAll('`', '``')}\``;
  const blank = /^\s*(not )?blank\s*$/.exec(text);
  if (blank) {
    const is = kind === 'text' && !choices.length ? `(${field} is null or ${field} = '')` : `${field} is null`;
    return blank[1] ? `not ${is}` : is;
  }
  const without = kind === 'text' && !choices.length && /^!(?!=)(.+)$/s.exec(text);
  if (!without) return undefined;
  const pattern = /%/.test(without[1]) ? `like '${without[1].replaceAll("'", "''")}'` : `contains '${without[1].replaceAll("'", "''")}'`;
  // A row without a text is without this one, too.
  return `(${field} is null or not ${field} ${pattern})`;
}

/** Translates a filter's text to a query parameter of the server. */
function parameter({ name, kind, nullable, choices }, text) {
  const operators = { '=': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' };
  if (nullable && /^\s*(not )?null\s*$/.test(text)) return [`${name}.null`, String(!text.includes('not'))];
  const [, sign, rest] = /^\s*(!=|<=|>=|=|<|>)?(.*)$/s.exec(text);
  if (sign) return [`${name}.${operators[sign]}`, kind === 'text' ? rest : rest.trim()];
  if (kind === 'text' && !choices.length) return [`${name}.like`, /%/.test(text) ? text : `%${text}%`];
  return kind === 'int' && text.includes(',') ? [`${name}.in`, text.replace(/\s/g, '')] : [`${name}.eq`, kind === 'text' ? text : text.trim()];
}

/** Returns the URL of the current view: its filters, but for that of one column, and the given parameters. */
function address(more, without) {
  const url = new URL(at.url);
  const conditions = [];
  for (const each of at.all) {
    const text = each.name === without ? '' : view.filters[each.name] ?? '';
    const own = text === '' ? undefined : condition(each, text);
    if (own) conditions.push(own);
    else if (text !== '') url.searchParams.append(...parameter(each, text));
  }
  if (view.search.trim()) url.searchParams.append('search', view.search);
  if (conditions.length) url.searchParams.append('where', conditions.join(' and '));
  for (const [key, value] of Object.entries(more)) if (value !== '') url.searchParams.append(key, value);
  return url;
}

// ---- reading a page of rows ------------------------------------------------------------------------------------------

let rows = [];
let more = false;
let total; // undefined until the server has counted
let loading = new AbortController();
let stale = false;
let held = false; // true while a row is read again before it is changed
let pressed = false; // true while a pointer is down on the rows: drawing would replace what it is about to click
let drawn; // the address and the text of the rows as they are shown
const writing = () => held || pressed || body.querySelector('.edit') || document.querySelector('dialog[open]');
let refused = false;

/** Loads the page's rows; waits while the user edits. */
async function load() {
  if (page) return page();
  stale = Boolean(writing());
  if (stale) return;
  loading.abort();
  const { signal } = (loading = new AbortController());
  grid.setAttribute('aria-busy', 'true');
  try {
    const url = address({ order: view.order, limit: view.limit, offset: view.offset || '' });
    const answer = await ask(url, { signal });
    const text = await answer.text();
    if (signal.aborted) return;
    stale = Boolean(writing()); // the user may have begun to edit meanwhile
    if (stale) return;
    rows = parse(text);
    more = rows.length >= view.limit && /rel="?next"?/.test(answer.headers.get('Link') ?? '');
    if (drawn !== `${url}\n${text}`) draw();
    drawn = `${url}\n${text}`;
    if (refused) { refused = false; complain(''); }
    if (at.relations.length && rows.length) {
      // Titles are extra: without them the keys are shown.
      await label(rows, signal).catch((error) => { if (error.name === 'AbortError') throw error; });
      if (signal.aborted || writing()) return;
      draw();
    }
    await count(signal);
  } catch (error) {
    if (error.name === 'AbortError') return;
    refused = true;
    complain(error.message);
  } finally {
    if (!signal.aborted) grid.removeAttribute('aria-busy');
  }
}

/** Requests the number of rows, which may take longer than the page itself. */
async function count(signal) {
  const { count: counted } = await (await ask(address({ count: 'true' }), { signal })).json();
  total = counted;
  drawPlace();
  if (!rows.length && view.offset && total <= view.offset) go({ offset: lastPage() });
}
const lastPage = () => Math.max(0, Math.floor((total - 1) / view.limit) * view.limit);
