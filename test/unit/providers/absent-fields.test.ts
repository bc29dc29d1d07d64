import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { describe, expect, test } from 'vitest'
import { openApi } from '../../../rest-compat/openapi/openapi.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { modelNames } from '../../../src/domain/record-models.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'
import { absentFields, restName } from '../../support/providers/absent-fields.ts'
import { adapters } from '../../support/providers/adapters.ts'
import { goldenModels } from '../../support/providers/golden-pairs.ts'

const columns = ['samsara', 'geotab', 'motive', 'traccar'] as const

const absentIn = (provider: string, model: string): string[] =>
  absentFields(provider, model).map((field) => restName(model, field))

/** Models of which at least one provider lacks a field. */
const models = modelNames.filter((model) => columns.some((provider) => absentIn(provider, model).length > 0))

describe('the fields that a provider never has', () => {
  test('are those of docs/providers.md; `npm run generate:absent-fields` writes them', async () => {
    const path = join(process.cwd(), 'docs/providers.md')
    const page = readFileSync(path, 'utf8')
    expect(page).toMatch(TABLE)
    const text = page.replace(TABLE, (_, before: string, after: string) => before + table() + after)
    const formatted = await format(text, { ...(await resolveConfig(path)), filepath: path })
    await expect(formatted).toMatchFileSnapshot(path)
  })

  test.each(models)('are fields of %s in REST', (model) => {
    const document = openApi(routes, supergraph.apiSchema, eventTypes) as unknown as Document
    const known = memberNames(document, { $ref: schemaNames[model] ?? model })
    expect(known).toEqual(expect.arrayContaining(columns.flatMap((provider) => absentIn(provider, model))))
  })
})

/** Matches the table on its page. */
const TABLE = /(<!-- absent fields -->\n\n)[^]*?(\n\n<!-- \/absent fields -->)/

const table = (): string =>
  [
    ['Record type', ...columns.map((provider) => adapters[provider]().manifest.name)],
    Array(columns.length + 1).fill('---'),
    ...models.map((model) => [`\`${model}\``, ...columns.map((provider) => cell(provider, model))]),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

const cell = (provider: string, model: string): string =>
  goldenModels(provider).includes(model)
    ? absentIn(provider, model)
        .toSorted()
        .map((name) => `\`${name}\``)
        .join(', ')
    : 'not read'

/** Names of schemas in the OpenAPI document, where they differ from those of the models. */
const schemaNames: Readonly<Record<string, string>> = { HOSLog: 'HosLog', HOSDailyLog: 'HosDailyLog' }

interface Schema {
  readonly $ref?: string
  readonly allOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A member of a member of a member is the deepest that a field is. */
const DEPTH = 3

/** Returns the names of the members of a schema, those of its objects as `license.state`. */
function memberNames(document: Document, schema: Schema, depth = DEPTH): string[] {
  if (depth === 0) return []
  const { $ref, allOf = [], oneOf = [], properties = {} } = schema
  const target = document.components.schemas[$ref?.split('/').at(-1) ?? '']
  return [
    ...[...allOf, ...oneOf, ...(target ? [target] : [])].flatMap((part) =>
      memberNames(document, part, depth),
    ),
    ...Object.entries(properties).flatMap(([name, member]) => [
      name,
      ...memberNames(document, member, depth - 1).map((inner) => `${name}.${inner}`),
    ]),
  ]
}
