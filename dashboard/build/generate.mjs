import { readdirSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildSchema, parse } from 'graphql'

// `npm run generate:dashboard`: writes typed documents of the operations into src/api/generated.

const root = join(import.meta.dirname, '../..')
const api = join(import.meta.dirname, '../src/api')
const out = join(api, 'generated/')

const sdl = readFileSync(join(root, 'schema/api.graphql'), 'utf8')
const documents = readdirSync(join(api, 'operations'))
  .sort()
  .map((name) => {
    const rawSDL = readFileSync(join(api, 'operations', name), 'utf8')
    return { location: join(api, 'operations', name), document: parse(rawSDL), rawSDL }
  })

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
const parts = await preset.buildGeneratesSection({
  baseOutputDir: out,
  schema: parse(sdl),
  schemaAst: buildSchema(sdl),
  documents,
  config: {
    strictScalars: true,
    scalars: { DateTime: 'string', Date: 'string', Month: 'string', JSON: 'unknown' },
    useTypeImports: true,
    enumsAsTypes: true,
    onlyOperationTypes: true,
  },
  presetConfig: { fragmentMasking: false },
  plugins: [],
  pluginMap: {},
})
for (const file of parts)
  if (file.filename.endsWith('graphql.ts')) writeFileSync(file.filename, await codegen(file))
