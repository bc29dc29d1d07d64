import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildSchema, parse } from 'graphql'

// `npm run generate:dashboard`: writes typed documents of the operations into src/api/generated.

const root = join(import.meta.dirname, '../..')
const operations = join(import.meta.dirname, '../src/api/operations')
const out = join(import.meta.dirname, '../src/api/generated/')

/** Returns the source of `graphql.ts` for a schema. */
export async function typedDocuments(sdl) {
  const documents = readdirSync(operations)
    .sort()
    .map((name) => {
      const rawSDL = readFileSync(join(operations, name), 'utf8')
      return { location: join(operations, name), document: parse(rawSDL), rawSDL }
    })
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
  return codegen(parts.find(({ filename }) => filename.endsWith('graphql.ts')))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(
    join(out, 'graphql.ts'),
    await typedDocuments(readFileSync(join(root, 'schema/api.graphql'), 'utf8')),
  )
