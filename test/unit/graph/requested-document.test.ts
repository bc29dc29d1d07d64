import { expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { RequestedDocuments } from '../../../src/gateway/requested-document.ts'
import { hashOf } from '../../../src/subgraphs/connections/trusted-documents/trusted-document.ts'

const TEXT = '{ vehicles { nodes { id } } }'
const requester = { caller: { ...keyHolder('app_1'), documentMode: 'only' as const }, credentials: {} }

/** Reads whose answers the test sends. Every document is published with the same text. */
function heldReads() {
  const held: (() => void)[] = []
  const answer = <Value>(value: Value) =>
    new Promise<Value>((resolve) => {
      held.push(() => resolve(value))
    })
  const trustedDocuments = {
    trustedDocument: () => answer({ text: TEXT, textHash: hashOf(TEXT) }),
    isTrustedText: () => answer(true),
  }
  return { held, documents: new RequestedDocuments((() => ({ trustedDocuments })) as unknown as ContextFor) }
}

test('a document that is requested by its text and by its id at once is found for both', async () => {
  const { held, documents } = heldReads()
  const byText = documents.textOf(requester, { query: TEXT })
  const byId = documents.textOf(requester, { documentId: 'names' })
  const [sendText, sendDocument] = held
  sendDocument?.()
  expect(await byId).toBe(TEXT)
  sendText?.()
  expect(await byText).toBe(TEXT)
})

test('a document is found even if so many others are requested that the cache has no room for it', async () => {
  const { held, documents } = heldReads()
  const first = documents.textOf(requester, { query: TEXT })
  const others = Array.from({ length: 20_001 }, (_, index) =>
    documents.textOf(requester, { query: `${TEXT} # ${index}` }),
  )
  for (const send of held) send()
  expect(await first).toBe(TEXT)
  expect(await Promise.all(others)).toHaveLength(20_001)
})
