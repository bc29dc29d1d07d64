import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { writeGzipCopies } from './gzip-copies.ts'

/**
 * Build step of `npm run build`: bundles the browser code of the pages and its packages into
 * dist/pages/VERSION.
 *
 * VERSION is a hash of the inputs. Browsers can therefore cache the files forever. If the version exists, the build
 * does not bundle again. The browser code of the link pages needs no packages, so it is copied to dist unchanged.
 */

const root = resolve(import.meta.dirname, '../../../..')
const sources = join(root, 'src/http/pages/browser')
const folder = join(root, 'dist/pages')

const entries = {
  graphiql: join(sources, 'graphiql.ts'),
  'rest-docs': join(sources, 'rest-docs.ts'),
  guides: join(sources, 'guides.ts'),
  'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
}

const LINK_PAGES = 'src/link/pages/browser'

const version = versionOf([
  import.meta.filename,
  join(import.meta.dirname, 'gzip-copies.js'),
  join(root, 'package-lock.json'),
  join(root, 'src/http/pages/search-options.ts'),
  ...readdirSync(sources).map((name) => join(sources, name)),
])
if (!existsSync(join(folder, version))) await bundle()
cpSync(join(root, LINK_PAGES), join(root, 'dist', LINK_PAGES), { recursive: true })

async function bundle(): Promise<void> {
  const temporary = `${folder}.${process.pid}`
  await build({
    entryPoints: entries,
    outdir: join(temporary, version),
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    legalComments: 'linked',
    loader: { '.ttf': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'warning',
  })
  writeGzipCopies(join(temporary, version))
  rmSync(folder, { recursive: true, force: true })
  renameSync(temporary, folder)
}

function versionOf(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(file.slice(root.length)).update(readFileSync(file))
  return hash.digest('base64url').slice(0, 12)
}
