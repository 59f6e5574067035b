// View of the table browser: the grid, forms, the keyboard, and live updates.
'use strict';

// ---- drawing ---------------------------------------------------------------------------------------------------------

/** Updates the header for the current view; builds a new one for another collection. */
function drawHead() {
  if (head.dataset.path !== at.path + view.hidden.join()) makeHead();
  const [name, down] = [view.order.replace(/^-/, ''), view.order.startsWith('-')];
  at.columns.forEach((each, index) => {
    const title = head.rows[0].cells[index];
    title.setAttribute('aria-sort', each.name !== name ? 'none' : down ? 'descending' : 'ascending');
    title.querySelector('span').textContent = each.name !== name ? '' : down ? ' ▼' : ' ▲';
    const input = head.rows[1].cells[index].firstElementChild;
    if (input !== document.activeElement) input.value = view.filters[each.name] ?? '';
  });
  const limit = $('limit');
  if (![...limit.options].some((option) => option.value === String(view.limit))) limit.add(new Option(view.limit));
  limit.value = view.limit;
  $('clear').hidden = !Object.keys(view.filters).length && !view.search;
  $('search').hidden = !at.searched;
  if ($('search') !== document.activeElement) $('search').value = view.search;
  $('download').querySelector('ul').replaceChildren(...at.formats.map((format) => make('li', {},
    make('a', { href: address({ order: view.order, format }), download: `${at.title.replace(/[\\/:*?"<>|\p{C}]/gu, '-').slice(0, 100)}.${format}`, onclick: download }, format))));
}

/** Downloads a link's target. With a token, fetches it here, since a plain link would not send the token. */
async function download(event) {
  if (!token || !event.currentTarget.href.startsWith('http')) return;
  event.preventDefault();
  const { href, download: name } = event.currentTarget;
  try {
    const file = URL.createObjectURL(await (await ask(href, { accept: '*/*' })).blob());
    make('a', { href: file, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(file), 60000);
  } catch (error) { complain(error.message ?? 'The download broke off.'); }
}

/** Builds the header: column titles, which sort the rows, and the filters below them. */
function makeHead() {
  const order = (name) => go({ order: view.order === name ? `-${name}` : view.order === `-${name}` ? '' : name, offset: 0 });
  const titles = at.columns.map((each) => make('th', { scope: 'col' },
    make('button', { type: 'button', dir: 'auto', disabled: !askable(each.name, /^-|,|^\s|\s$/), title: each.about ?? each.name, onclick: () => order(each.name) }, each.name, make('span', { 'aria-hidden': 'true' })),
    ...(at.facets && askable(each.name) && each.kind !== 'json' && !each.bytes ? [make('button', { type: 'button', className: 'facet', 'aria-label': `Values of ${each.name}`, onclick: () => facet(each) })] : [])));
  const filters = at.columns.map((each) => make('td', {}, filter(each)));
  const rest = () => (at.deletes ? [make('td', {})] : []);
  head.replaceChildren(make('tr', {}, ...titles, ...rest()), make('tr', {}, ...filters, ...rest()));
  $('collection').value = at.path;
  head.dataset.path = at.path + view.hidden.join();
  $('add').hidden = !at.added;
  document.title = `${at.title} · Demat`;
  grid.setAttribute('aria-label', at.title);
}

/** Whether a query can name a column. It can't if the name is empty, or if part of it has a meaning there (`other`). */
const askable = (name, other) => name !== '' && !other?.test(name);

/** Creates a column's filter: a select if there are few values, else a text input. */
function filter(each) {
  const given = { 'aria-label': `Filter by ${each.name}`, disabled: !askable(each.name) };
  const use = (text) => text !== (view.filters[each.name] ?? '') && go({ filters: { ...view.filters, [each.name]: text }, offset: 0 });
  const choices = each.kind === 'bool' ? ['true', 'false'] : each.choices.map(String);
  if (each.nullable && choices.length) choices.push('null');
  if (choices.length) return make('select', { ...given, onchange: (event) => use(event.target.value) },
    new Option('any', ''), ...choices.map((choice) => new Option(choice)));
  let waiting;
  const input = make('input', { ...given, type: 'search', placeholder: each.kind === 'text' ? 'contains…' : '=  >  <', dir: 'auto' });
  input.oninput = () => { clearTimeout(waiting); waiting = setTimeout(() => use(input.value), 350); };
  input.onchange = () => { clearTimeout(waiting); use(input.value); };
  return input;
}

/** Makes a cell the grid's only tab stop. */
function mark(cell, focus) {
  for (const other of body.querySelectorAll('[tabindex="0"]')) other.tabIndex = -1;
  const target = cell.querySelector('button') ?? cell;
  target.tabIndex = 0;
  if (focus) target.focus();
}

/** Returns a row's key as text; several values are joined by commas. */
const key = (row) => at.keys.map((name) => shown(row[name])).map((text, _, all) => (all.length > 1 ? text.replace(/[\\,]/g, '\\$&') : text)).join(',');

/** Draws the rows. The focus stays on the same row, or at the same position if that row is gone. */
function draw() {
  const old = document.activeElement.closest?.('tbody td');
  const [line, column, was] = old ? [old.parentNode.sectionRowIndex, old.cellIndex, old.parentNode.dataset.at] : [0, 0];
  body.replaceChildren(...rows.map((row) => {
    const url = place(row);
    return make('tr', { 'data-at': url },
      ...at.columns.map((each) => fill(make('td', { tabIndex: -1 }), each, row)),
      ...(at.deletes ? [make('td', { tabIndex: -1 }, ...(url ? [make('button', { type: 'button', tabIndex: -1, 'aria-label': `Delete row ${brief(key(row))}` }, '×')] : []))] : []));
  }));
  const same = old && [...body.rows].find((row) => row.dataset.at === was);
  const cell = (same ?? body.rows[Math.min(line, rows.length - 1)])?.cells[column];
  if (cell) mark(cell, Boolean(old));
  $('empty').textContent = rows.length ? '' : Object.keys(view.filters).length || view.search ? 'No row fits the filters.' : 'There are no rows.';
  drawPlace();
}

/** Puts a value into its cell; shortens a long one. */
function fill(cell, each, row) {
  const value = row[each.name];
  const text = shown(value);
  cell.className = value == null ? 'null' : each.kind === 'int' || each.kind === 'number' ? 'number' : '';
  cell.dir = 'auto';
  cell.setAttribute('aria-readonly', String(!at.edits(each) || !place(row)));
  const url = each.name === at.keys[0] && !at.edits(each) ? place(row) : undefined;
  if (url) cell.replaceChildren(make('a', { href: rowAt(at, names(new URL(url).pathname).at(-1)), tabIndex: -1 }, brief(text, 300)));
  else cell.replaceChildren(...(linked(each, value) ?? [brief(text, 300)]));
  return cell;
}

/** Updates the row range and the page buttons. */
function drawPlace() {
  const number = (value) => value.toLocaleString('en');
  const of = total === undefined ? '' : ` of ${number(total)}`;
  $('where').textContent = rows.length ? `${number(view.offset + 1)}–${number(view.offset + rows.length)}${of}` : total === undefined ? '' : `0${of}`;
  $('first').disabled = $('previous').disabled = view.offset === 0;
  $('next').disabled = total === undefined ? !more : total <= view.offset + rows.length;
  $('last').disabled = $('next').disabled || total === undefined;
}

// ---- changing rows ---------------------------------------------------------------------------------------------------

/** Reads a row again, with its ETag, and updates the cells. Returns null if the row can't be read. */
async function fresh(line) {
  held = true;
  drawn = undefined; // cells are about to change
  const url = body.rows[line].dataset.at;
  try {
    const answer = await ask(url);
    const row = parse(await answer.text());
    rows[line] = row;
    at.columns.forEach((each, index) => fill(body.rows[line].cells[index], each, row));
    return { url, row, match: answer.headers.get('ETag')?.startsWith('W/') ? null : answer.headers.get('ETag') };
  } catch (error) {
    complain(error.status === 404 ? 'Somebody deleted this row meanwhile.' : error.message);
    return null;
  }
}

/** Explains an error about a row, and whether the row has changed. Status 412 means changed or deleted, so this asks
again. */
async function told(error, url) {
  const status = error.status === 412 ? (await ask(url).catch((own) => own)).status : error.status;
  if (status === 404) return { lost: true, gone: true, message: 'Somebody deleted this row meanwhile.' };
  return error.status === 412 ? { lost: true, message: 'Somebody changed this row meanwhile; nothing was done to it.' } : { lost: false, message: error.message };
}

/** Edits a cell. Enter or leaving it saves, Escape cancels. */
async function edit(cell) {
  const each = at.columns[cell.cellIndex];
  if (!each || !at.edits(each) || !cell.parentNode.dataset.at || writing()) return;
  const found = await fresh(cell.parentNode.sectionRowIndex);
  held = false;
  if (!found || !cell.isConnected) { load(); return; }
  const { url, row, match } = found;
  const before = row[each.name];
  const label = `${each.name} of row ${brief(key(row))}`, input = box(each, { 'aria-label': label });
  input.value = before == null ? '' : shown(before);
  const editor = make('div', { className: 'edit' }, input);
  if (each.nullable && input.localName !== 'select') {
    editor.append(make('button', { type: 'button', title: 'No value', 'aria-label': `null for ${label}`, onclick: () => save('null') }, 'null'));
  }
  cell.replaceChildren(editor);
  input.focus();
  input.select?.();
  const begun = input.value;
  let over = false;

    /** Ends the edit, and shows updates that arrived meanwhile. */
  function close() {
    over = true;
    if (!cell.isConnected) return;
    const focused = [document.body, ...editor.children].includes(document.activeElement);
    fill(cell, each, rows[cell.parentNode.sectionRowIndex]);
    if (focused) mark(cell, true);
    if (stale) load();
  }
  async function save(value) {
    if (over) return;
    over = true; // prevents a second request
    try {
      value ??= input.value === '' && each.choices.length && each.nullable ? 'null' : written(each, input.value);
      const answer = await ask(url, { method: 'PATCH', body: `{${JSON.stringify(each.name)}:${value}}`, type: at.editType || undefined, match });
      const text = await answer.text(); // empty for a long row
      if (text) rows[cell.parentNode.sectionRowIndex] = parse(text);
      complain('');
      stale = true; // the row may have moved, or no longer match the filters
      close();
    } catch (error) {
      const { lost, message } = await told(error, url);
      complain(message);
      over = stale = lost;
      if (lost) close();
      else { input.setAttribute('aria-invalid', 'true'); input.focus(); }
    }
  }
  const leave = () => (input.value === begun ? close() : save());
  editor.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === 'Escape') { complain(''); close(); }
    // Shift+Enter inserts a line break.
    if (event.key === 'Enter' && !event.shiftKey && event.target === input) { event.preventDefault(); leave(); }
  });
  editor.addEventListener('focusout', (event) => {
    if (!over && !editor.contains(event.relatedTarget) && document.hasFocus()) leave();
  });
}

/** Creates a field's input: a select, a textarea or a single line. */
function box(each, { optional, ...given }) {
  const choices = each.kind === 'bool' ? ['true', 'false'] : each.choices.map(String);
  if (choices.length) return make('select', given, ...(each.nullable || optional ? [new Option(each.nullable ? 'null' : '', '')] : []), ...choices.map((choice) => new Option(choice)));
  if (each.kind === 'text' || each.kind === 'json') return make('textarea', { ...given, rows: 1, dir: 'auto' });
  return make('input', { ...given, inputMode: each.kind === 'int' ? 'numeric' : 'decimal', autocomplete: 'off' });
}

/** Asks for confirmation, and deletes a row if it is still as shown. */
async function remove(line) {
  if (!at.deletes || !body.rows[line].dataset.at || writing()) return;
  const found = await fresh(line);
  held = false;
  if (!found) { load(); return; }
  const dialog = $('confirm');
  dialog.querySelector('h2').replaceChildren('Delete row ', make('bdi', {}, brief(key(found.row))), '?');
  const text = at.columns.filter((each) => !at.keys.includes(each.name)).map((each) => `${each.name}: ${shown(found.row[each.name])}`).join(', ');
  dialog.querySelector('p').replaceChildren(make('bdi', {}, brief(text, 300)));
  dialog.returnValue = 'no';
  dialog.onclose = async () => {
    try {
      if (dialog.returnValue === 'yes') await ask(found.url, { method: 'DELETE', match: found.match });
      complain('');
    } catch (error) {
      const { gone, message } = await told(error, found.url);
      if (!gone) complain(message);
    }
    load();
  };
  dialog.showModal();
}

/** Shows a form for a new row. Fields left empty get their defaults. */
function add() {
  const dialog = $('form');
  const [form, alert] = [dialog.querySelector('form'), dialog.querySelector('[role=alert]')];
  const inputs = new Map(at.added.map((each) => [each, box(each, { optional: !each.required, name: each.name })]));
  form.firstElementChild.replaceChildren(...[...inputs].map(([each, input]) =>
    make('label', {}, make('bdi', {}, each.name), each.required ? '' : ' (may be left empty)', input)));
  alert.textContent = '';
  const untouched = () => [...inputs.values()].every((input) => input.value === '');
  let busy = false;
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    for (const input of inputs.values()) input.removeAttribute('aria-invalid');
    let wrong;
    try {
      const parts = [];
      for (const [each, input] of inputs) {
        wrong = input;
        if (input.value !== '' || each.required) parts.push(`${JSON.stringify(each.name)}:${written(each, input.value)}`);
      }
      wrong = undefined;
      await ask(at.url, { method: 'POST', body: `{${parts}}`, type: at.addType || undefined });
      dialog.close();
      complain('');
      load();
    } catch (error) {
      alert.textContent = error.message;
      wrong ??= [...inputs].find(([each]) => error.path === `$.${each.name}` || error.path?.startsWith(`$.${each.name}.`) || error.path?.startsWith(`$.${each.name}[`))?.[1];
      wrong?.setAttribute('aria-invalid', 'true');
      wrong?.focus();
    }
    busy = false;
  };
  form.onkeydown = (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.target.localName === 'button') return;
    event.preventDefault();
    // Enter in an empty form is probably a mistake. The button still adds a row of defaults.
    if (untouched()) alert.textContent = 'Nothing is filled in.';
    else form.requestSubmit();
  };
  dialog.onclose = () => stale && load();
  dialog.showModal();
}

// ---- the keyboard and the mouse ----------------------------------------------------------------------------------------

body.addEventListener('keydown', (event) => {
  const cell = event.target.closest('td');
  if (!cell || event.altKey || event.metaKey) return;
  const [line, column] = [cell.parentNode.sectionRowIndex, cell.cellIndex];
  const [bottom, right] = [body.rows.length - 1, cell.parentNode.cells.length - 1];
  const step = (to, across) => mark(body.rows[Math.min(Math.max(to, 0), bottom)].cells[Math.min(Math.max(across, 0), right)], true);
  const onButton = event.target.localName === 'button';
  const keys = {
    ArrowUp: () => step(line - 1, column), ArrowDown: () => step(line + 1, column),
    ArrowLeft: () => step(line, column - 1), ArrowRight: () => step(line, column + 1),
    Home: () => step(event.ctrlKey ? 0 : line, 0), End: () => step(event.ctrlKey ? bottom : line, right),
    PageDown: () => $('next').click(), PageUp: () => $('previous').click(),
    Enter: onButton ? null : () => (at.edits(at.columns[column]) || !cell.querySelector('a') ? edit(cell) : cell.querySelector('a').click()), F2: () => edit(cell), Delete: () => remove(line),
  };
  if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
});
body.addEventListener('dblclick', (event) => { const cell = event.target.closest('td'); if (cell) edit(cell); });
body.addEventListener('pointerdown', () => { pressed = true; });
for (const name of ['pointerup', 'pointercancel']) {
  document.addEventListener(name, () => {
    if (!pressed) return;
    pressed = false;
    setTimeout(() => { if (stale) load(); }); // after the click
  });
}
body.addEventListener('click', (event) => {
  const cell = !event.target.closest('.edit') && event.target.closest('td');
  if (cell) mark(cell, false);
  if (cell && event.target.localName === 'button') remove(cell.parentNode.sectionRowIndex);
});
$('add').onclick = add;
$('cancel').onclick = () => $('form').close();
$('clear').onclick = () => go({ filters: {}, search: '', offset: 0 });
let searching;
const search = () => { clearTimeout(searching); if ($('search').value !== view.search) go({ search: $('search').value, offset: 0 }); };
$('search').oninput = () => { clearTimeout(searching); searching = setTimeout(search, 350); };
$('search').onchange = search;
$('first').onclick = () => go({ offset: 0 });
$('previous').onclick = () => view.offset && go({ offset: Math.max(0, view.offset - view.limit) });
$('next').onclick = () => $('next').disabled || go({ offset: view.offset + view.limit });
$('last').onclick = () => go({ offset: lastPage() });
$('limit').onchange = () => go({ limit: Number($('limit').value), offset: 0 });
$('collection').onchange = () => go({ order: '', filters: {}, offset: 0, hidden: [], search: '' }, $('collection').value);
for (const list of [$('download'), $('columns')]) {
  addEventListener('keydown', (event) => { if (event.key === 'Escape') list.open = false; });
  addEventListener('click', ({ target: own }) => { if (!list.contains(own) || own.localName === 'a') list.open = false; });
}

// ---- live: what others change ------------------------------------------------------------------------------------------

let listening = new AbortController();
let again;
/** The longest silence before reconnecting, in milliseconds. The server sends a keep-alive more often. */
const SILENT = 45000;

/** Listens to the collection while the page is visible: browsers allow few connections per server. */
async function listen(wait = 500) {
  listening.abort();
  clearTimeout(again);
  if (document.hidden || !at) return;
  const { signal } = (listening = new AbortController());
  const say = (text, on) => { $('live').textContent = $('live').title = text; $('live').classList.toggle('on', on); };
  let waiting;
  // Reload once for a burst of changes.
  const changed = () => { waiting ??= setTimeout(() => { waiting = undefined; if (!signal.aborted) load(); }, 150); };
  try {
    // EventSource can't send the token.
    const answer = await ask(at.url, { accept: 'text/event-stream', signal });
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    say('live', true);
    wait = 500;
    for (let text = ''; ;) {
      const silence = setTimeout(() => listen(wait), SILENT);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) break;
      const events = (text + value).split('\n\n');
      text = events.pop();
      // Reload after `hello`, too: changes before it were not sent.
      if (events.some((event) => /^event: (hello|change)$/m.test(event))) changed();
    }
  } catch { /* as where it ends */ }
  if (signal.aborted) return;
  say('not live', false);
  again = setTimeout(listen, wait, Math.min(wait * 2, 15000));
}
document.addEventListener('visibilitychange', () => listen());

// ---- the beginning -----------------------------------------------------------------------------------------------------

(async () => {
  try {
    const document = await (await ask(new URL('openapi.json', root))).json();
    [known, queries] = [collections(document), savedQueries(document)];
  } catch (error) {
    return complain(`What this server has can’t be learnt: ${error.message}`);
  }
  $('collection').replaceChildren(...known.map((each) => new Option(each.title, each.path)));
  if (!known.length && !queries.length) complain('This server has no collections.');
  else { addEventListener('hashchange', follow); follow(); }
})();
