'use strict';
// A viewer of the server's operations, learnt from /openapi.json; each can be tried.

const $ = (id) => document.getElementById(id);
// The browser of tables keeps the token here, too: one login for both.
const root = new URL('..', location.href);
const stored = 'demat-token';
let token = sessionStorage.getItem(stored) ?? '';
let described = {};

/** Makes an element with properties and children; a text child is text, never markup. */
function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Follows a reference within the description. */
function resolved(part) {
  for (let steps = 0; part?.$ref && steps < 32; steps += 1) {
    const path = part.$ref.replace(/^#\//, '').split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    part = path.reduce((own, name) => (own !== null && typeof own === 'object' && Object.hasOwn(own, name) ? own[name] : undefined), described);
  }
  return part ?? {};
}

/** The schema without null as an alternative. */
function bare(schema) {
  schema = resolved(schema);
  const some = schema.anyOf?.filter((one) => resolved(one).type !== 'null');
  return some?.length === 1 ? bare(some[0]) : schema;
}

/** A short name of a type: `int ≥ 1`, `[Task]`. */
function typeOf(schema, depth = 0) {
  if (schema === true || schema === undefined) return 'any';
  const name = schema.$ref?.split('/').at(-1);
  if (name) return name;
  if (depth > 4) return '…';
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, depth + 1)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' or ');
  if (schema.type === 'array') return `[${typeOf(schema.items ?? true, depth + 1)}]${limits(schema)}`;
  const type = [schema.type ?? 'any'].flat().join(' or ');
  return `${type}${schema.format ? ` (${schema.format})` : ''}${limits(schema)}`;
}

function limits(schema) {
  const words = [
    ['minimum', '≥ '], ['exclusiveMinimum', '> '], ['maximum', '≤ '], ['exclusiveMaximum', '< '], ['multipleOf', 'a multiple of '],
    ['minLength', 'length ≥ '], ['maxLength', 'length ≤ '], ['minItems', 'items ≥ '], ['maxItems', 'items ≤ '], ['pattern', 'matches '],
  ];
  const said = words.filter(([key]) => key in schema).map(([key, word]) => word + schema[key]);
  return said.length ? `, ${said.join(', ')}` : '';
}

/** A value that a schema describes, to begin with. */
function example(schema, around = []) {
  if (schema?.$ref) {
    if (around.includes(schema.$ref)) return null;
    return example(resolved(schema), [...around, schema.$ref]);
  }
  if (schema === undefined || typeof schema !== 'object' || around.length > 8) return null;
  for (const key of ['default', 'const']) if (key in schema) return schema[key];
  if (schema.examples?.length) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return example(schema.anyOf[0], around);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return Object.fromEntries(Object.entries(schema.properties ?? {}).filter(([, own]) => !own.readOnly).map(([key, own]) => [key, example(own, around)]));
    case 'array': {
      const items = schema.prefixItems ?? (schema.items && !around.includes(schema.items.$ref) ? [schema.items] : []);
      return items.map((item) => example(item, around));
    }
    case 'string':
      return { date: '2026-01-02', 'date-time': '2026-01-02T03:04:05Z', time: '03:04:05Z', uuid: '00000000-0000-0000-0000-000000000000', duration: 'PT1S' }[schema.format] ?? '';
    case 'integer': case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 0 : schema.exclusiveMinimum + 1);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

/** A labelled control, with a hint below. */
function field(label, control, hint, isRequired) {
  return make('label', { className: label === '' ? 'field one' : 'field' },
    label === '' ? null : make('span', {}, label, isRequired ? ' *' : ''), control, hint ? make('span', { className: 'faint' }, hint) : null);
}

function say(text) {
  $('alert').textContent = text;
  $('alert').hidden = !text;
}

/** The control for a parameter; its `values` are the texts to send, none for a parameter that is left out. */
function control(schema, isRequired) {
  const own = bare(schema);
  const words = own.enum ?? (own.type === 'boolean' ? [true, false] : null);
  if (words) {
    const select = make('select', {}, isRequired ? null : make('option', { value: '' }, ''), ...words.map((word) => make('option', {}, String(word))));
    select.values = () => (select.value === '' && !isRequired ? [] : [select.value]);
    return select;
  }
  if (own.type === 'array') {
    const area = make('textarea', { placeholder: 'a value on each line' });
    area.values = () => area.value.split('\n').filter((line) => line !== '');
    return area;
  }
  const input = make('input', { type: 'text', placeholder: own.default === undefined ? '' : String(own.default) });
  input.values = () => (input.value === '' && !isRequired ? [] : [input.value]);
  return input;
}

/** The controls for a body, and a function that returns it with its media type. */
function bodyOf(body) {
  const content = body?.content ?? {};
  const kinds = Object.keys(content);
  if (!kinds.length) return { controls: [], read: () => ({}) };
  const form = content['multipart/form-data']?.schema;
  if (form) {
    const schema = resolved(form);
    const fields = Object.entries(schema.properties ?? {}).map(([name, own]) => {
      const items = own.type === 'array' ? resolved(own.items) : own;
      const isRequired = schema.required?.includes(name) ?? false;
      if (items.format !== 'binary') return { name, own, isRequired, control: control(own, isRequired) };
      const input = make('input', { type: 'file', multiple: own.type === 'array' });
      input.values = () => [...input.files];
      return { name, own, isRequired, control: input };
    });
    const read = () => {
      const data = new FormData();
      for (const one of fields) for (const value of one.control.values()) data.append(one.name, value);
      // The browser adds the boundary.
      return { body: data };
    };
    return { controls: fields.map((one) => field(one.name, one.control, typeOf(one.own), one.isRequired)), read };
  }
  const kind = content['application/json'] ? 'application/json' : kinds[0];
  if (kind === 'application/json') {
    const schema = content[kind].schema;
    const area = make('textarea', { value: JSON.stringify(example(schema), null, 2) ?? '' });
    area.setAttribute('aria-label', 'Body');
    const read = () => (area.value.trim() === '' ? {} : { body: area.value, type: kind });
    return { controls: [field('', area, `${kind}: ${typeOf(schema ?? true)}`, body.required)], read };
  }
  const input = make('input', { type: 'file' });
  const read = () => (input.files.length ? { body: input.files[0], type: 'application/octet-stream' } : {});
  return { controls: [field('File', input, kind, body.required)], read };
}

/** Sends a request with the token; after a 401, asks for the token and sends it again. */
async function send(url, options) {
  for (;;) {
    const headers = new Headers(options.headers);
    if (token) headers.set('Authorization', `Bearer ${token}`);
    const answer = await fetch(url, { ...options, headers, cache: 'no-store', redirect: 'manual' });
    if (answer.status !== 401 || answer.headers.get('www-authenticate') !== 'Bearer') return answer;
    await logIn();
  }
}

/** Asks for a token until the server knows it. */
function logIn() {
  const dialog = $('log-in');
  const form = dialog.querySelector('form');
  const [input, alert] = [form.querySelector('input'), form.querySelector('[role=alert]')];
  return new Promise((resolve) => {
    let isIn = false;
    // Without a token there is nothing to show, so a dialog that the user closes opens again.
    dialog.onclose = () => { if (!isIn) dialog.showModal(); };
    form.onsubmit = async (event) => {
      event.preventDefault();
      const given = input.value.trim();
      alert.textContent = '';
      if (!/^[!-~]+$/.test(given)) { alert.textContent = 'This is not the token of the server.'; return; }
      const answer = await fetch(new URL('openapi.json', root), { headers: { Authorization: `Bearer ${given}` }, cache: 'no-store' }).catch(() => null);
      if (answer === null) { alert.textContent = 'The server does not answer.'; return; }
      if (answer.status === 401) { alert.textContent = 'This is not the token of the server.'; return; }
      token = given;
      sessionStorage.setItem(stored, token);
      $('log-out').hidden = false;
      input.value = '';
      isIn = true;
      dialog.close();
      resolve();
    };
    if (!dialog.open) dialog.showModal();
  });
}

/** The answer as text: JSON indented, other text as it is, and the length of anything else. */
async function shown(answer) {
  const type = answer.headers.get('content-type') ?? '';
  const bytes = await answer.arrayBuffer();
  if (!bytes.byteLength) return '';
  if (!/json|text|xml|yaml|toml/.test(type)) return `${bytes.byteLength} bytes`;
  const text = new TextDecoder().decode(bytes);
  // Numbers beyond a double's digits would change if they were parsed.
  const isExact = !/\d{16}/.test(text);
  try {
    return type.startsWith('application/json') && isExact ? JSON.stringify(JSON.parse(text), null, 2) : text;
  } catch {
    return text;
  }
}

/** An operation, which can be tried. */
function operation(path, method, own, shared) {
  const parameters = [...shared, ...(own.parameters ?? [])].map(resolved);
  const controls = parameters.map((one) => ({ ...one, control: control(one.schema, one.required ?? false) }));
  const body = bodyOf(resolved(own.requestBody));
  const output = make('pre', { hidden: true });
  output.setAttribute('role', 'status');
  const roles = (own.security ?? []).flatMap((one) => one.token ?? []);
  const answers = Object.entries(own.responses ?? {}).flatMap(([status, response]) => {
    const one = resolved(response);
    const schema = one.content?.['application/json']?.schema;
    return [make('dt', {}, status), make('dd', {}, one.description ?? '', schema && status < '300' ? make('code', {}, ` ${typeOf(schema)}`) : '')];
  });
  // A page can't set cookies of a request, so they are shown only.
  const tried = controls.filter((one) => one.in !== 'cookie');
  const hint = (one) => [typeOf(one.schema), one.description].filter(Boolean).join('. ');
  const form = make('form', { noValidate: true },
    own.description ? make('p', { className: 'description' }, own.description) : null,
    roles.length ? make('p', { className: 'faint' }, `Needs a token with the role ${roles.join(' or ')}.`) : null,
    tried.length ? make('fieldset', {}, make('legend', {}, 'Parameters'), ...tried.map((one) => field(`${one.name} (${one.in})`, one.control, hint(one), one.required))) : null,
    body.controls.length ? make('fieldset', {}, make('legend', {}, 'Body'), ...body.controls) : null,
    make('div', { className: 'bar' }, make('button', { className: 'first' }, 'Send')),
    output,
    make('fieldset', {}, make('legend', {}, 'Answers'), make('dl', { className: 'answers' }, ...answers)));
  form.onsubmit = async (event) => {
    event.preventDefault();
    const { body: data, type } = body.read();
    const headers = new Headers(type ? { 'Content-Type': type } : {});
    const query = new URLSearchParams();
    let url = path;
    for (const one of tried) {
      const values = one.control.values();
      // An empty name in a path is written as a tilde.
      if (one.in === 'path') {
        // Names that a URL can't express have a tilde in front, as in the browser of tables.
        const name = values[0] ?? '';
        const odd = ['', '.', '..'].includes(name.replace(/^~+/, ''));
        url = url.replaceAll(`{${one.name}}`, (odd ? '~' : '') + encodeURIComponent(name));
      }
      if (one.in === 'query') for (const value of values) query.append(one.name, value);
      if (one.in === 'header') for (const value of values) headers.append(one.name, value);
    }
    const target = query.size ? `${url}?${query}` : url;
    output.hidden = false;
    output.textContent = '…';
    try {
      const answer = await send(new URL(`.${target}`, root), { method: method.toUpperCase(), headers, body: data });
      const more = ['content-type', 'location', 'etag', 'demat-count', 'link', 'allow'].flatMap((name) => (answer.headers.has(name) ? [`${name}: ${answer.headers.get(name)}`] : []));
      output.textContent = [`${method.toUpperCase()} ${target}`, `${answer.status} ${answer.statusText}`, ...more, '', await shown(answer)].join('\n');
    } catch (error) {
      output.textContent = `${method.toUpperCase()} ${target}\nThere is no answer: ${error.message}`;
    }
  };
  return make('details', { className: 'operation' },
    make('summary', {}, make('span', { className: `method ${method}` }, method.toUpperCase()), make('code', { className: 'path' }, path), make('span', { className: 'faint' }, own.summary ?? '')),
    form);
}

/** Shows the operations whose path, method or summary has the words. */
function find() {
  const words = $('find').value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const one of document.querySelectorAll('details.operation')) {
    const text = one.querySelector('summary').textContent.toLowerCase();
    one.hidden = !words.every((word) => text.includes(word));
  }
}

async function begin() {
  $('log-out').hidden = !token;
  const answer = await send(new URL('openapi.json', root), {}).catch(() => null);
  if (!answer?.ok) return say(answer ? `The server answered ${answer.status}.` : 'The server does not answer.');
  described = await answer.json();
  $('title').textContent = described.info?.title ?? 'API';
  const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];
  const all = Object.entries(described.paths ?? {}).flatMap(([path, item]) =>
    methods.filter((method) => item[method]).map((method) => operation(path, method, item[method], item.parameters ?? [])));
  $('operations').replaceChildren(...all);
  if (!all.length) say('The server has no operations.');
  find();
}

$('find').oninput = find;
$('log-out').onclick = () => {
  sessionStorage.removeItem(stored);
  location.reload();
};
begin();
