import { cpSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeBundle } from './write-bundle.ts'

/**
 * Build step of `npm run build`: bundles the browser code of the pages into dist/pages. The browser code of the link
 * pages needs no packages, so it is copied to dist unchanged.
 */

const root = resolve(import.meta.dirname, '../../../..')
const sources = join(root, 'src/http/pages/browser')

const LINK_PAGES = 'src/link/pages/browser'

await writeBundle({
  name: 'pages',
  entries: {
    graphiql: join(sources, 'graphiql.ts'),
    'rest-docs': join(sources, 'rest-docs.ts'),
    guides: join(sources, 'guides.ts'),
    'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
    'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
    'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  },
  inputs: [
    import.meta.filename,
    join(root, 'src/http/pages/search-options.ts'),
    ...readdirSync(sources).map((name) => join(sources, name)),
  ],
})
cpSync(join(root, LINK_PAGES), join(root, 'dist', LINK_PAGES), { recursive: true })
