// Beyond the grid: an overview of all collections, the page of one row, links along foreign keys, the commonest values of a
// column, and the choice of columns.
'use strict';

// ---- links along foreign keys ----------------------------------------------------------------------------------------

/** Returns the collection that a relation leads to. */
const target = (relation) => known.find((each) => each.path === path([...at.root, ...names(relation.to)]));

/** Returns a column's foreign key, if it alone is one. */
const leads = (each) => at.relations.find((own) => !own.many && own.fields.length === 1 && own.fields[0] === each.name && target(own)?.keys.join() === own.toFields.join());

/** Returns the column that says best what a row is: a title or name, else the first text that is no key. */
function titleOf(collection) {
  const texts = collection.all.filter((each) => each.kind === 'text' && !each.bytes && !collection.keys.includes(each.name));
  return (texts.find((each) => /^(title|name|label)$/i.test(each.name)) ?? texts.find((each) => /title|name|label/i.test(each.name)) ?? texts[0])?.name;
}

/** Returns the address of the page of a row. */
const rowAt = (collection, text) => `#${collection.path}?${new URLSearchParams({ row: text })}`;

/** Returns the address of the rows that have a value. */
const rowsWith = (collection, name, value) => `#${collection.path}?${new URLSearchParams({ [`filter.${name}`]: `=${shown(value)}` })}`;

let labels = new Map(); // column -> text of a key -> title of its row

/** Reads the titles of the rows that the page's foreign keys lead to, and shows them. */
async function label(shownRows, signal) {
  labels = new Map();
  for (const each of at.columns) {
    const relation = leads(each);
    const other = relation && target(relation);
    const title = other && titleOf(other);
    if (!title || [title, ...relation.toFields].some((name) => name.includes(','))) continue;
    const own = new Map();
    // A comma separates the values of a query.
    const keys = [...new Set(shownRows.map((row) => row[each.name]).filter((value) => value != null).map(shown))].filter((text) => !text.includes(','));
    for (let begin = 0; begin < keys.length; begin += 100) {
      const url = new URL(other.url);
      const [field] = relation.toFields;
      for (const [name, value] of [[`${field}.in`, keys.slice(begin, begin + 100)], ['fields', `${field},${title}`], ['limit', 100]]) url.searchParams.set(name, value);
      for (const row of parse(await (await ask(url, { signal })).text())) if (row[title] != null) own.set(shown(row[field]), shown(row[title]));
    }
    labels.set(each.name, own);
  }
}

/** Returns the link of a value that is a foreign key; undefined if it is none. */
function linked(each, value) {
  const relation = value == null ? undefined : leads(each);
  if (!relation) return undefined;
  const text = shown(value);
  const title = labels.get(each.name)?.get(text);
  const link = make('a', { href: rowAt(target(relation), text), tabIndex: -1, title: `${target(relation).title} ${brief(text)}` }, brief(title ?? text));
  return title === undefined ? [link] : [link, ' ', make('small', { className: 'faint' }, brief(text, 40))];
}

// ---- bytes -------------------------------------------------------------------------------------------------------------

/** Returns a button that saves bytes, which come as base64. */
function saves(each, text, name) {
  const size = Math.floor((text.replace(/=+$/, '').length * 3) / 4);
  const save = () => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const file = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
    make('a', { href: file, download: `${name}-${each.name}`.replace(/[\\/:*?"<>|\p{C}]/gu, '-').slice(0, 100) }).click();
    setTimeout(() => URL.revokeObjectURL(file), 60000);
  };
  return make('button', { type: 'button', onclick: save }, `Save ${size.toLocaleString('en')} bytes`);
}

// ---- pages in the place of the grid --------------------------------------------------------------------------------------

let page; // draws the page that is shown instead of the grid, if there is one

/** Shows a page instead of the grid; without one, the grid. */
function showPage(draw) {
  page = draw;
  $('page').hidden = !draw;
  if (!draw) $('page').replaceChildren();
  for (const part of [$('scroll'), document.querySelector('footer')]) part.hidden = Boolean(draw);
  if (draw) for (const id of ['add', 'clear', 'download', 'columns', 'search']) $(id).hidden = true;
  $('overview').toggleAttribute('aria-current', location.hash === '#overview');
}

/** Shows all collections, with the number of their rows. */
async function overview() {
  loading.abort();
  listening.abort();
  clearTimeout(again);
  const { signal } = (loading = new AbortController());
  at = undefined;
  showPage(overview);
  complain('');
  document.title = 'Tables · Demat';
  $('collection').value = '';
  $('live').textContent = '';
  const counts = known.map(() => make('td', { className: 'number' }, '…'));
  $('page').replaceChildren(make('h2', {}, 'All tables'), make('table', {},
    make('thead', {}, make('tr', {}, ...['Table', 'Rows', 'Columns', ''].map((text) => make('th', { scope: 'col' }, text)))),
    make('tbody', {}, ...known.map((each, index) => make('tr', {},
      make('td', {}, make('a', { href: `#${each.path}`, dir: 'auto' }, each.title)), counts[index],
      make('td', { dir: 'auto' }, brief(each.all.map((column) => column.name).join(', '), 120)),
      make('td', { className: 'faint' }, each.added || each.deletes ? '' : 'read-only'))))),
    ...(queries.length ? [make('h3', {}, 'Saved queries'), make('ul', { id: 'queries' }, ...queries.map((each) => make('li', {},
      make('a', { href: `#query/${encodeURIComponent(each.name)}` }, each.name), ' ',
      make('small', { className: 'faint' }, each.parameters.join(', ')))))] : []));
  // One after the other: a large table takes long, and the server has other clients.
  for (const [index, each] of known.entries()) {
    try {
      const url = new URL(each.url);
      url.searchParams.set('count', 'true');
      try {
        counts[index].textContent = (await (await ask(url, { signal })).json()).count.toLocaleString('en');
      } catch (error) {
        if (error.name === 'AbortError') throw error;
        counts[index].textContent = '?';
        counts[index].title = error.message;
      }
    } catch (error) {
      if (signal.aborted) return;
      counts[index].textContent = '?';
      counts[index].title = error.message;
    }
  }
}

/** Saves an answer of a saved query as a file. */
async function saveAnswer(own, asked, accept) {
  try {
    const answer = await ask(answerOf(own, asked), { accept });
    const file = URL.createObjectURL(await answer.blob());
    make('a', { href: file, download: `${own.name}.${/csv/.test(accept) ? 'csv' : 'json'}` }).click();
    setTimeout(() => URL.revokeObjectURL(file), 60000);
  } catch (error) { complain(error.message); }
}

/** Returns the address of a saved query's rows. */
function answerOf(own, asked) {
  const url = new URL(own.url);
  for (const name of own.parameters) url.searchParams.set(name, asked.get(name) ?? '');
  return url;
}

/** Shows a saved query: its SQL, a form with its parameters, and the rows if all of these are given. */
async function queryPage(name, asked) {
  loading.abort();
  listening.abort();
  clearTimeout(again);
  const { signal } = (loading = new AbortController());
  at = undefined;
  drawn = undefined;
  showPage(() => queryPage(name, asked));
  complain('');
  $('collection').value = '';
  $('live').textContent = '';
  const own = queries.find((each) => encodeURIComponent(each.name) === name);
  if (!own) {
    $('page').replaceChildren();
    return complain(`There is no query “${name}” here.`);
  }
  document.title = `${own.name} · Demat`;
  const inputs = own.parameters.map((each) => make('input', { name: each, value: asked.get(each) ?? '', autocomplete: 'off' }));
  const form = make('form', { noValidate: true },
    ...inputs.map((input) => make('label', {}, make('bdi', {}, input.name), ' ', input)), make('button', { className: 'first' }, 'Run'));
  form.onsubmit = (event) => {
    event.preventDefault();
    const given = new URLSearchParams(inputs.map((input) => [input.name, input.value]));
    history.pushState(null, '', `#query/${name}${given.size ? `?${given}` : ''}`);
    follow();
  };
  const [said, result] = [make('p', { role: 'status' }), make('table', { id: 'result' })];
  $('page').replaceChildren(make('h2', { dir: 'auto' }, own.name), make('pre', {}, own.sql), form, said, result);
  if (!own.parameters.every((each) => asked.has(each))) return inputs[0].focus();
  said.textContent = '…';
  try {
    const answer = await ask(answerOf(own, asked), { signal });
    const found = parse(await answer.text());
    if (signal.aborted) return;
    const count = found.length.toLocaleString('en');
    said.textContent = answer.headers.has('demat-truncated') ? `The first ${count} rows; there are more. ` : `${count} ${found.length === 1 ? 'row' : 'rows'} `;
    for (const type of own.types.filter((each) => /^(application\/json|text\/csv)/.test(each))) {
      said.append(make('button', { type: 'button', onclick: () => saveAnswer(own, asked, type) }, /csv/.test(type) ? 'Save as CSV' : 'Save as JSON'), ' ');
    }
    const columns = Object.keys(found[0] ?? {});
    result.replaceChildren(
      make('thead', {}, make('tr', {}, ...columns.map((each) => make('th', { scope: 'col', dir: 'auto' }, each)))),
      make('tbody', {}, ...found.map((row) => make('tr', {}, ...columns.map((each) => (row[each] === null
        ? make('td', { className: 'faint' }, 'null') : make('td', { className: typeof row[each] === 'number' ? 'number' : '', dir: 'auto' }, shown(row[each]))))))));
  } catch (error) {
    if (error.name === 'AbortError') return;
    said.textContent = '';
    complain(error.message);
  }
}

/** Shows one row: its fields, what its foreign keys lead to, and the rows that lead to it. */
async function rowPage() {
  loading.abort();
  const { signal } = (loading = new AbortController());
  const [own, text] = [at, view.row];
  showPage(rowPage);
  try {
    const row = parse(await (await ask(urlOf([...own.names, text]), { signal })).text());
    // Titles and counts are extra: without them the row is shown all the same.
    await label([row], signal).catch((error) => { if (error.name === 'AbortError') throw error; });
    if (signal.aborted) return;
    const name = shown(row[titleOf(own)]) || text;
    document.title = `${brief(name)} · ${own.title} · Demat`;
    const value = (each) => {
      const value = row[each.name];
      if (value == null) return [make('span', { className: 'faint' }, 'null')];
      if (each.bytes) return [saves(each, value, own.title)];
      return linked(each, value)?.map((part) => { if (part.localName === 'a') part.tabIndex = 0; return part; }) ?? [shown(value)];
    };
    const others = own.relations.filter((each) => each.many && each.fields.length === 1 && target(each) && row[each.fields[0]] != null);
    const counts = others.map(() => make('span', { className: 'faint' }, '…'));
    $('page').replaceChildren(
      make('p', {}, make('a', { href: `#${own.path}` }, own.title)), make('h2', { dir: 'auto' }, brief(name, 300)),
      make('dl', {}, ...own.all.flatMap((each) => [make('dt', { dir: 'auto' }, each.name), make('dd', { dir: 'auto' }, ...value(each))])),
      ...(others.length ? [make('h3', {}, 'Rows that lead here')] : []),
      make('ul', {}, ...others.map((each, index) => make('li', {},
        make('a', { href: rowsWith(target(each), each.toFields[0], row[each.fields[0]]) }, `${target(each).title} by ${each.toFields[0]}`), ' ', counts[index]))));
    complain('');
    for (const [index, each] of others.entries()) {
      const url = new URL(target(each).url);
      url.searchParams.set('count', 'true');
      url.searchParams.set(`${each.toFields[0]}.eq`, shown(row[each.fields[0]]));
      counts[index].textContent = (await (await ask(url, { signal })).json()).count.toLocaleString('en');
    }
  } catch (error) {
    if (error.name === 'AbortError') return;
    $('page').replaceChildren(make('p', {}, make('a', { href: `#${own.path}` }, own.title)));
    complain(error.status === 404 ? `There is no row “${text}” here.` : error.message);
  }
}

// ---- the choice of columns -----------------------------------------------------------------------------------------------

/** Updates the list of columns. */
function drawColumns() {
  $('columns').hidden = at.all.length < 2;
  $('columns').querySelector('ul').replaceChildren(...at.all.map((each) => {
    const box = make('input', { type: 'checkbox', checked: !view.hidden.includes(each.name), disabled: at.columns.length === 1 && at.columns[0] === each });
    box.onchange = () => go({ hidden: box.checked ? view.hidden.filter((name) => name !== each.name) : [...view.hidden, each.name] });
    return make('li', {}, make('label', {}, box, ' ', make('bdi', {}, each.name)));
  }));
}

// ---- the commonest values of a column ------------------------------------------------------------------------------------

/** Shows the commonest values of a column, with the number of rows that have them among those that the filters choose. */
async function facet(each) {
  const dialog = $('facet');
  const list = dialog.querySelector('ul');
  const title = make('bdi', {}, each.name);
  dialog.querySelector('h2').replaceChildren('Values of ', title);
  list.replaceChildren(make('li', { className: 'faint' }, '…'));
  dialog.querySelector('[role=alert]').textContent = '';
  dialog.onclose = () => stale && load();
  dialog.showModal();
  try {
    const { facet: values } = parse(await (await ask(address({ facet: each.name }, each.name))).text());
    if (!title.isConnected) return; // another column was asked for meanwhile
    const filter = (value) => (value === null ? 'null' : each.kind === 'bool' || each.choices.length ? shown(value) : `=${shown(value)}`);
    list.replaceChildren(...values.map(({ value, count }) => make('li', {},
      make('button', { type: 'button', onclick: () => { dialog.close(); go({ filters: { ...view.filters, [each.name]: filter(value) }, offset: 0 }); } },
        make('bdi', { className: value === null ? 'faint' : '' }, value === '' ? '(empty)' : brief(shown(value), 80)), ' ', make('span', { className: 'faint' }, count.toLocaleString('en'))))));
    if (!values.length) list.replaceChildren(make('li', { className: 'faint' }, 'There are no rows.'));
    list.querySelector('button')?.focus();
  } catch (error) {
    if (!title.isConnected) return;
    list.replaceChildren();
    dialog.querySelector('[role=alert]').textContent = error.message;
  }
}
$('facet').querySelector('form button').onclick = () => $('facet').close();
