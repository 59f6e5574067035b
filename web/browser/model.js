// What the browser of tables knows: values, the server, names, collections, where it is, and a page of rows.
'use strict';
// ---- the page's parts ------------------------------------------------------------------------------------------------

const $ = (id) => document.getElementById(id);
const grid = document.querySelector('table');
const [head, body] = [grid.tHead, grid.tBodies[0]];

/** An element with properties, attributes and children; a text among those is a text, whatever it looks like. */
function make(name, given = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (key in made && !key.startsWith('aria')) made[key] = value;
    else if (value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** Says what went wrong, until it is dismissed or something goes well. */
function complain(message) {
  $('alert').hidden = !message;
  $('alert').firstElementChild.textContent = message;
}
$('alert').lastElementChild.onclick = () => complain('');

// ---- values: JSON, of which no digit is lost -------------------------------------------------------------------------

/** Reads JSON; numbers that JavaScript would round stay as they were written, where the browser can do that. */
function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === 'number' && JSON.rawJSON && context && String(value) !== context.source
      ? JSON.rawJSON(context.source) : value);
}

/** A text, of a very long one the start; no letter is cut in two. */
const brief = (text, most = 100) => (text.length > most ? `${text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : text);

/** A value as people read and write it. */
const shown = (value) => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** What was written for a field, as JSON; an Error says what it should be. */
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

/** What the server refused: its message, its status, and the path of what it is about. */
class Refused extends Error {
  constructor(message, status, path) { super(message); this.status = status; this.path = path; }
}

const root = new URL('..', location.href);
// Kept by this tab alone: no other page gets it, and no request has it that this page does not make.
const stored = 'demat-token';
let token = sessionStorage.getItem(stored) ?? '';

/** Asks the server, and gives its answer if that is a success; where a token is needed, it asks for that first. */
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

/** One request, with what the server wants to know of it; an Error only where there is no answer. */
function request(url, { method = 'GET', body, type, match, signal, accept = 'application/json' }) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers['Content-Type'] = type ?? 'application/json';
  if (match) headers['If-Match'] = match;
  return fetch(url, { method, headers, body, signal, cache: 'no-cache' }).catch((error) => {
    throw error.name === 'AbortError' ? error : new Refused('The server can’t be reached.', 0);
  });
}

let entered; // while it is asked who is there

/** Asks for the token until the server takes it; all that wait for it go on then. */
function logIn() {
  entered ??= new Promise((done) => {
    const dialog = $('log-in');
    const [input, alert] = [dialog.querySelector('input'), dialog.querySelector('[role=alert]')];
    const say = (message) => { alert.textContent = message; input.setAttribute('aria-invalid', String(Boolean(message))); if (message) input.select(); };
    dialog.querySelector('form').onsubmit = async (event) => {
      event.preventDefault();
      const given = input.value.trim();
      if (!given) return say('The server wants a token.');
      // Nothing else can stand in a header.
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
    // There is nothing to see behind it.
    dialog.onclose = () => entered && dialog.showModal();
    dialog.showModal();
  });
  return entered;
}

/** Forgets the token, and all that was shown. */
function logOut() {
  sessionStorage.removeItem(stored);
  location.reload();
}
$('log-out').hidden = !token;
$('log-out').onclick = logOut;

// ---- names in addresses: the only place where they are encoded, and the only one where they are decoded -------------------

/** Whether a name can't stand in a path as it is (browsers drop such segments), or looks like one that stands for such. */
const odd = (name) => ['', '.', '..'].includes(name.replace(/^~+/, ''));

/** The path of names, from outside to inside, each percent-encoded. */
const path = (names) => `/${names.map((name) => (odd(name) ? '~' : '') + encodeURIComponent(name.toWellFormed?.() ?? name)).join('/')}`;

/** The names of a path, decoded. */
function names(text) {
  const decoded = text.split('/').slice(1).map((part) => {
    try { part = decodeURIComponent(part); } catch { /* then it is one that nobody has encoded */ }
    return odd(part) && part.startsWith('~') ? part.slice(1) : part;
  });
  return decoded.length === 1 && !text.slice(1) ? [] : decoded;
}

/** The URL of names on this server. */
const urlOf = (all) => new URL(path(all).slice(1), root).href;

// ---- what there is: collections and their fields, of the OpenAPI document -----------------------------------------------

/** The schema that a reference leads to. */
function resolve(document, schema) {
  for (let steps = 0; schema?.$ref && steps < 20; steps += 1) {
    const path = schema.$ref.replace(/^#\//, '').split('/');
    schema = path.reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  }
  return schema ?? {};
}

/** The JSON schema of a request or an answer, and its media type. */
function content(document, said) {
  const [type, { schema }] = Object.entries(resolve(document, said).content ?? {}).find(([key]) => /[/+]json$/.test(key)) ?? ['', {}];
  const own = resolve(document, schema);
  // Of what may be answered the value stands first; behind it what is told in its place.
  return { type, schema: own.anyOf ? resolve(document, own.anyOf[0]) : own };
}

/** A field of a record: what may stand in it. */
function field(document, name, given, required) {
  const schema = resolve(document, given);
  const parts = [schema, ...(schema.anyOf ?? schema.oneOf ?? []).map((part) => resolve(document, part))];
  const types = new Set(parts.flatMap((part) => part.type ?? []));
  const choices = parts.flatMap((part) => part.enum ?? []).filter((choice) => choice !== null);
  const nullable = types.delete('null');
  const kind = { integer: 'int', number: 'number', boolean: 'bool', string: 'text' }[[...types].join()] ?? 'json';
  const fixed = Boolean(given.readOnly || schema.readOnly);
  const address = parts.some((part) => part.format === 'uri');
  return { name, kind, nullable, choices, fixed, address, required, about: given.description ?? schema.description };
}

/** What the server calls the formats of media types. */
const FORMATS = {
  'application/json': 'json', 'application/x-ndjson': 'ndjson', 'text/csv': 'csv', 'text/tab-separated-values': 'tsv', 'application/protobuf': 'proto',
  'application/vnd.apache.arrow.stream': 'arrow', 'application/vnd.apache.parquet': 'parquet',
};

/** The fields of a record's schema. */
const fields = (document, schema) => Object.entries(schema.properties ?? {})
  .map(([name, given]) => field(document, name, given, (schema.required ?? []).includes(name)));

/** The collections: paths with an item below them, whose answer is a list. */
function collections(document) {
  const found = [];
  for (const [own, verbs] of Object.entries(document.paths ?? {})) {
    const base = own.replace(/\/$/, '');
    const below = Object.keys(document.paths).find((other) => other.startsWith(`${base}/{`) && /^\/\{[^/]+\}$/.test(other.slice(base.length)));
    if (!below || !verbs.get || own.includes('{')) continue;
    const list = content(document, verbs.get.responses?.['200']).schema;
    const one = document.paths[below];
    const record = list.items ? resolve(document, list.items) : content(document, one.get?.responses?.['200']).schema;
    const all = fields(document, record);
    const [post, patch] = [verbs.post, one.patch].map((verb) => verb && content(document, verb.requestBody));
    const patched = patch && new Set(fields(document, patch.schema).filter((each) => !each.fixed).map((each) => each.name));
    const given = post && fields(document, post.schema);
    // The description says by which fields a row is found; rows of a list that has no key can't be told from each other.
    const keys = (record['x-key'] ?? []).filter((name) => all.some((each) => each.name === name));
    // A row's own address is what it is found by, and no column: it is made by the server.
    const link = all.find((each) => each.address && !keys.includes(each.name) && (each.fixed || !patched?.has(each.name)));
    const found_ = keys.length > 0 || link !== undefined;
    const types = Object.keys(resolve(document, verbs.get.responses?.['200']).content ?? {});
    found.push({
      names: names(own), path: path(names(own)), title: names(own).join('/') || '/', url: urlOf(names(own)), keys, link: link?.name,
      columns: all.filter((each) => each !== link).sort((one, other) => keys.includes(other.name) - keys.includes(one.name)),
      added: given?.filter((each) => !each.fixed), addType: post?.type,
      edits: (each) => found_ && Boolean(patch) && !each.fixed && !keys.includes(each.name) && (patched.size === 0 || patched.has(each.name)),
      editType: patch?.type, deletes: found_ && Boolean(one.delete),
      formats: types.length ? types.map((type) => FORMATS[type]).filter(Boolean) : ['json'],
    });
  }
  return found;
}

/** The address of a row: what it says it is, if that is in the collection, or what its key says. Nothing where it has none. */
function place(row) {
  const said = at.link && URL.canParse(row[at.link]) ? names(new URL(row[at.link]).pathname) : [];
  // The server may stand below a path of another one, which its own addresses don't know.
  if (said.length > at.names.length && said.slice(-at.names.length - 1, -1).every((name, index) => name === at.names[index])) return urlOf([...at.names, said.at(-1)]);
  const parts = at.keys.map((name) => row[name]);
  if (!parts.length || parts.some((part) => part === null || part === undefined)) return undefined;
  return urlOf([...at.names, key(row)]);
}

// ---- where we are: the collection, and which of its rows; it stands in the address ---------------------------------------

let known = [];
let at; // the collection
// Of names nothing is known, and a column may be called as what every object has.
const bare = (entries = []) => Object.assign(Object.create(null), Object.fromEntries(entries));
let view = { order: '', limit: 50, offset: 0, filters: bare() };

/** Takes the view from the address: `#/tasks?order=-id&offset=50&filter.title=milk`. */
function follow() {
  const [named, query] = location.hash.slice(1).split(/\?(.*)/s);
  const before = at;
  const wanted = path(names(named));
  at = named ? known.find((each) => each.path === wanted) : known[0];
  if (!at) return lost(names(named).join('/'));
  const asked = new URLSearchParams(query);
  const number = (name, least, otherwise) => Math.max(least, parseInt(asked.get(name), 10) || otherwise);
  const filtered = JSON.stringify(view.filters);
  view = { order: asked.get('order') ?? '', limit: Math.min(number('limit', 1, 50), 1000), offset: number('offset', 0, 0), filters: bare([...asked].filter(([name]) => name.startsWith('filter.')).map(([name, value]) => [name.slice(7), value])) };
  if (at !== before) {
    rows = [];
    body.replaceChildren();
    listen();
  }
  if (at !== before || JSON.stringify(view.filters) !== filtered) total = undefined;
  $('download').hidden = false;
  drawHead();
  load();
}

/** Says that there is no such collection; none is shown in its place. */
function lost(name) {
  loading.abort();
  listening.abort();
  clearTimeout(again);
  rows = [];
  for (const part of [head, body]) part.replaceChildren();
  delete head.dataset.path;
  $('collection').value = $('where').textContent = $('empty').textContent = $('live').textContent = '';
  for (const id of ['add', 'clear', 'download']) $(id).hidden = true;
  for (const id of ['first', 'previous', 'next', 'last']) $(id).disabled = true;
  document.title = 'Tables · Demat';
  complain(`There is no collection “${name}” here.`);
}

/** Goes to another view. */
function go(change, to = at.path) {
  const next = { ...view, ...change };
  const query = new URLSearchParams();
  if (next.order) query.set('order', next.order);
  if (next.limit !== 50) query.set('limit', next.limit);
  if (next.offset) query.set('offset', next.offset);
  for (const [name, text] of Object.entries(next.filters)) if (text !== '') query.set(`filter.${name}`, text);
  const hash = `#${to}${query.size ? `?${query}` : ''}`;
  // At once, and not when the browser says that the address is another one: the next click counts on it.
  if (location.hash !== hash) history.pushState(null, '', hash);
  follow();
}

/** The parameter that a filter, as people write it, is to the server. */
function parameter({ name, kind, nullable, choices }, text) {
  const operators = { '=': 'eq', '!=': 'ne', '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge' };
  if (nullable && /^\s*(not )?null\s*$/.test(text)) return [`${name}.null`, String(!text.includes('not'))];
  const [, sign, rest] = /^\s*(!=|<=|>=|=|<|>)?(.*)$/s.exec(text);
  if (sign) return [`${name}.${operators[sign]}`, kind === 'text' ? rest : rest.trim()];
  if (kind === 'text' && !choices.length) return [`${name}.like`, /%/.test(text) ? text : `%${text}%`];
  return kind === 'int' && text.includes(',') ? [`${name}.in`, text.replace(/\s/g, '')] : [`${name}.eq`, kind === 'text' ? text : text.trim()];
}

/** The address of what is shown: filtered and in order, and more as given. */
function address(more) {
  const url = new URL(at.url);
  for (const each of at.columns) {
    const text = view.filters[each.name] ?? '';
    if (text !== '') url.searchParams.append(...parameter(each, text));
  }
  for (const [key, value] of Object.entries(more)) if (value !== '') url.searchParams.append(key, value);
  return url;
}

// ---- reading a page of rows ------------------------------------------------------------------------------------------

let rows = [];
let more = false;
let total; // unknown until the server has counted
let loading = new AbortController();
let stale = false;
let held = false; // while a row is read anew before it is changed
const writing = () => held || body.querySelector('.edit') || document.querySelector('dialog[open]');
let refused = false;

/** Reads the page; while something is being written, later. */
async function load() {
  stale = Boolean(writing());
  if (stale) return;
  loading.abort();
  const { signal } = (loading = new AbortController());
  grid.setAttribute('aria-busy', 'true');
  try {
    const answer = await ask(address({ order: view.order, limit: view.limit, offset: view.offset || '' }), { signal });
    const text = await answer.text();
    if (signal.aborted) return;
    stale = Boolean(writing()); // somebody may have begun meanwhile
    if (stale) return;
    rows = parse(text);
    more = rows.length >= view.limit && /rel="?next"?/.test(answer.headers.get('Link') ?? '');
    draw();
    if (refused) { refused = false; complain(''); }
    await count(signal);
  } catch (error) {
    if (error.name === 'AbortError') return;
    refused = true;
    complain(error.message);
  } finally {
    if (!signal.aborted) grid.removeAttribute('aria-busy');
  }
}

/** Asks how many there are, which may take longer than the page did. */
async function count(signal) {
  const { count: counted } = await (await ask(address({ count: 'true' }), { signal })).json();
  total = counted;
  drawPlace();
  if (!rows.length && view.offset && total <= view.offset) go({ offset: lastPage() });
}
const lastPage = () => Math.max(0, Math.floor((total - 1) / view.limit) * view.limit);
