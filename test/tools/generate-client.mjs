import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildSchema, parse } from 'graphql'

// What `graphql-codegen` does with the client preset, without its command line and the 150 packages that come with it.

const root = join(import.meta.dirname, '../..')
const operations = join(import.meta.dirname, 'operations')
const out = join(root, 'dist/tools/client/')

const sdl = readFileSync(join(root, 'schema/api.graphql'), 'utf8')
const documents = readdirSync(operations).map((name) => {
  const rawSDL = readFileSync(join(operations, name), 'utf8')
  return { location: join(operations, name), document: parse(rawSDL), rawSDL }
})
const options = {
  baseOutputDir: out,
  schema: parse(sdl),
  schemaAst: buildSchema(sdl),
  documents,
  config: {
    strictScalars: true,
    scalars: { DateTime: 'string', Date: 'string', Month: 'string', JSON: 'unknown' },
    useTypeImports: true,
    enumsAsTypes: true,
  },
  presetConfig: {},
  plugins: [],
  pluginMap: {},
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
for (const file of await preset.buildGeneratesSection(options))
  writeFileSync(file.filename, await codegen(file))
