import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The Relay rules of graphql-eslint recognize a page by its name, VehicleConnection. Here a connection is a
// fleet's link to a provider, and a page is a VehiclePage; Relay itself accepts any name. The rules therefore
// read this copy of the schema, in which pages are called connections.

const root = join(import.meta.dirname, '../..')
const out = join(root, 'dist/tools')

// Output folder of relay-compiler, which creates none itself.
mkdirSync(join(out, 'relay'), { recursive: true })
writeFileSync(
  join(out, 'api-in-relay-names.graphql'),
  readFileSync(join(root, 'schema/api.graphql'), 'utf8')
    .replaceAll(/\bConnection\b/g, 'FleetLink')
    .replaceAll(/\b([A-Z]\w*)Page\b/g, '$1Connection'),
)
