import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trustedDocumentRepository } from '../../../src/subgraphs/connections/trusted-documents/trusted-document-repository.ts'
import { stores } from '../../support/database/stores.ts'
import { seedApplication, type SeededApplication } from '../../support/factories.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'

const NAMES = 'query Names { vehicles { nodes { name } } }'
const PLACES =
  'query Places { vehicleLocations { nodes { speed } } } query More { connections { nodes { id } } }'

describe.each(stores)('published documents on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication
  let own: readonly string[]

  beforeAll(async () => {
    harness = await openCliHarness(store)
    application = await seedApplication(harness.db, [])
    own = ['--application', application.id]
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const fileWith = async (content: unknown): Promise<string> => {
    const file = join(harness.home.folder, 'documents.json')
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  }
  const publish = async (content: unknown, ...options: string[]) =>
    harness.cli('operations', 'publish', await fileWith(content), ...own, ...options)
  const listed = async () =>
    (await harness.json<{ documentId: string; operations: string }[]>('operations', 'list', ...own)).map(
      ({ documentId, operations }) => [documentId, operations],
    )
  const textOf = async (documentId: string) => {
    const reads = trustedDocumentRepository(harness, { applicationId: application.id })
    return (await reads.trustedDocument(documentId))?.text ?? null
  }

  test('come from the files of Relay, GraphQL Code Generator and Apollo', async () => {
    const map = { '9b2f': NAMES, c01d: PLACES }
    expect((await publish(map)).out).toMatch(/ADDED\s+2/)
    const operation = { name: 'Names', type: 'query' }
    const manifest = {
      format: 'apollo-persisted-query-manifest',
      version: 1,
      operations: [
        { id: 'a'.repeat(64), body: NAMES, ...operation },
        { id: '9b2f', body: NAMES, ...operation },
      ],
    }
    const made = await harness.json('operations', 'publish', await fileWith(manifest), ...own)
    expect(made).toEqual({ added: 1, unchanged: 1 })
    expect((await listed()).sort()).toEqual([
      ['9b2f', 'Names'],
      ['a'.repeat(64), 'Names'],
      ['c01d', 'Places,More'],
    ])
    expect([await textOf('c01d'), await textOf('c01e')]).toEqual([PLACES, null])
    expect((await harness.cli('operations', 'remove', 'c01d', ...own)).error).toContain('c01d is removed.')
    expect((await harness.cli('operations', 'remove', 'c01d', ...own)).code).toBe(1)
    expect(await textOf('c01d')).toBeNull()
  })

  test.each<[string, unknown, string]>([
    ['no JSON', '{', 'is not JSON'],
    ['another format', [NAMES], 'must contain {"<id>": "<document>"}'],
    ['an entry without a text', { a: NAMES, b: 5 }, 'must contain {"<id>": "<document>"}'],
    [
      'a manifest with a broken entry',
      { format: 'apollo-persisted-query-manifest', operations: [5] },
      'must contain',
    ],
    ['nothing', {}, 'contains no documents'],
    ['a syntax error', { a: NAMES, broken: 'query {' }, 'broken: Syntax Error'],
    [
      'an unknown field',
      { a: NAMES, odd: '{ vehicles { nodes { wings } } }' },
      'odd: Cannot query field "wings"',
    ],
    ['fragments alone', { a: NAMES, part: 'fragment Part on Vehicle { id }' }, 'part'],
    ['an id with a space', { a: NAMES, 'my id': NAMES }, '1 to 128 visible ASCII characters'],
  ])('with %s are refused, and none is stored', async (_what, content, message) => {
    const before = await listed()
    const { code, error } = await publish(content)
    expect([code, error]).toEqual([1, expect.stringContaining(message)])
    expect(error.trim().split('\n')).toHaveLength(1)
    expect(await listed()).toEqual(before)
  })

  test('can use fields of other subgraphs without validation', async () => {
    const odd = '{ vehicles { nodes { wings } } }'
    expect((await publish({ odd })).code).toBe(1)
    expect((await publish({ odd }, '--no-validate')).code).toBe(0)
    expect((await publish({ broken: '{' }, '--no-validate')).error).toContain('broken cannot be parsed')
  })

  test('keep their texts', async () => {
    await publish({ kept: NAMES })
    const { code, error } = await publish({ fresh: NAMES, kept: PLACES })
    expect([code, error]).toEqual([1, expect.stringContaining('kept has another text already')])
    expect([await textOf('kept'), await textOf('fresh')]).toEqual([NAMES, null])
  })

  test('have a quota', async () => {
    const other = await seedApplication(harness.db, [])
    await harness.json('applications', 'quotas', other.id, 'trustedDocuments=2')
    const publishTo = async (documents: Readonly<Record<string, string>>) =>
      (await harness.cli('operations', 'publish', await fileWith(documents), '--application', other.id)).error
    expect(await publishTo({ a: NAMES, b: NAMES, c: NAMES })).toContain('at most 2 trusted documents')
    expect(await publishTo({ a: NAMES, b: NAMES })).toContain('within 3 seconds')
    expect(await publishTo({ a: NAMES, b: NAMES })).toContain('within 3 seconds')
    expect(await publishTo({ c: NAMES })).toContain('at most 2 trusted documents')
  })
})
