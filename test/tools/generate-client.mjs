import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildSchema, parse } from 'graphql'

// Generates types with the client preset of `graphql-codegen`, without its command line and its 150 packages.

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
