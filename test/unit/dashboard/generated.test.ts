import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { typedDocuments } from '../../../dashboard/build/generate.mjs'

test('the typed documents are those of the operations and the schema', async () => {
  const stored = readFileSync('dashboard/src/api/generated/graphql.ts', 'utf8')
  expect(stored).toBe(await typedDocuments(readFileSync('schema/api.graphql', 'utf8')))
})
