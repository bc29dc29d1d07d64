import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTopic } from '../../../src/subgraphs/streams/topics.ts'
import { ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'

let harness: ConnectionsHarness
beforeAll(async () => void (harness = await ConnectionsHarness.start('sqlite')))
afterAll(() => harness[Symbol.asyncDispose]())

test.each([
  ['archiveConnection', {}, true],
  ['deleteConnection', {}, true],
  ['updateConnection', { status: 'ARCHIVED' }, true],
  ['updateConnection', { tags: ['west'] }, false],
  ['requestSync', { days: 1 }, false],
] as const)('%s %j notifies open streams: %s', async (mutation, input, isNotified) => {
  const linked = await harness.link()
  let notifications = 0
  const unsubscribe = harness.tools.notifier.subscribe(
    accessTopic(linked.applicationId),
    () => (notifications += 1),
  )
  const selection = mutation === 'requestSync' ? 'sync { id }' : 'connection { id }'
  const { code } = await harness.mutate(
    linked.owner,
    mutation,
    { connectionId: linked.id, ...input },
    selection,
  )
  unsubscribe()
  expect([code, notifications > 0]).toEqual([null, isNotified])
})
