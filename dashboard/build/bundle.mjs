import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeBaseMap } from './base-map.mjs'
import { writeBundle } from '../../dist/src/http/pages/write-bundle.js'

// Build step of `npm run build`: bundles the dashboard into dist/dashboard.

const folder = join(import.meta.dirname, '..')

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name))
  .sort()

/** Files of the service that the dashboard imports. */
const shared = ['calendar.ts', 'time.ts'].map((name) => join(folder, '../src/domain', name))

await writeBundle({
  name: 'dashboard',
  entries: {
    main: join(folder, 'src/main.tsx'),
    'map-worker': join(folder, '../node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs'),
  },
  inputs: [...files, ...shared],
  addFiles: writeBaseMap,
})
