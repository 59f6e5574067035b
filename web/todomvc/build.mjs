// Builds the page into the Python package: `node build.mjs [FOLDER]`.

import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const folder = resolve(process.argv[2] ?? join(here, '../../python/demat/web/todomvc'));

/** The packages of other people that a part of stands in what was built. */
function packages(metafile) {
  const names = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
      // Of an imported style sheet nothing is left where everything in it was of no use, so its size counts, too.
      if (found && bytesInOutput > 0) names.add(found[1]);
    }
  }
  return [...names].sort();
}

/** What the licence of a package wants to be said: whose it is, and its text. */
function notice(name) {
  const root = join(here, 'node_modules', name);
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const file = readdirSync(root).find((entry) => /^licen[cs]e/i.test(entry));
  if (!file) throw new Error(`${name} has no file that says its licence`);
  const author = typeof about.author === 'string' ? about.author : about.author?.name;
  const from = `https://www.npmjs.com/package/${name}`;
  const head = [`${name} ${about.version}`, author && `by ${author}`, about.license, from].filter(Boolean).join(', ');
  return `${head}\n${'-'.repeat(head.length)}\n\n${readFileSync(join(root, file), 'utf8').trim()}\n`;
}

if (existsSync(folder)) rmSync(folder, { recursive: true });
mkdirSync(folder, { recursive: true });

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: { app: 'src/main.tsx' },
  outdir: folder,
  bundle: true,
  format: 'esm',
  target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  minify: true,
  legalComments: 'none', // all of them stand in LICENSES.txt
  metafile: true,
  logLevel: 'warning',
});

writeFileSync(join(folder, 'index.html'), readFileSync(join(here, 'index.html')));
writeFileSync(
  join(folder, 'LICENSES.txt'),
  'Parts of this page are the work of others; app.css holds their styles with changes of colours and sizes.\n\n' +
    packages(metafile).map(notice).join('\n\n'),
);
