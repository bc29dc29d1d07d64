import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTopic } from '../../../src/subgraphs/streams/topics.ts'
import { ConnectionsHarness } from '../../support/connections-harness.ts'

let harness: ConnectionsHarness
beforeAll(async () => void (harness = await ConnectionsHarness.start('sqlite')))
afterAll(() => harness[Symbol.asyncDispose]())

test.each([
  ['archiveConnection', {}, true],
  ['deleteConnection', {}, true],
  ['updateConnection', { status: 'ARCHIVED' }, true],
  ['updateConnection', { tags: ['west'] }, false],
  ['requestSync', { days: 1 }, false],
] as const)('%s %j tells who has something open: %s', async (mutation, input, tells) => {
  const linked = await harness.link()
  let rings = 0
  const deafen = harness.tools.notifier.subscribe(accessTopic(linked.applicationId), () => (rings += 1))
  const selection = mutation === 'requestSync' ? 'sync { id }' : 'connection { id }'
  const { code } = await harness.mutate(
    linked.owner,
    mutation,
    { connectionId: linked.id, ...input },
    selection,
  )
  deafen()
  expect([code, rings > 0]).toEqual([null, tells])
})
