import { afterAll, beforeAll, expect, test } from 'vitest'
import { accessTopic } from '../../src/subgraphs/access.ts'
import { ConnectionsRig } from './rig.ts'

let rig: ConnectionsRig
beforeAll(async () => void (rig = await ConnectionsRig.start('sqlite')))
afterAll(() => rig[Symbol.asyncDispose]())

test.each([
  ['archiveConnection', {}, true],
  ['deleteConnection', {}, true],
  ['updateConnection', { status: 'ARCHIVED' }, true],
  ['updateConnection', { tags: ['west'] }, false],
  ['requestSync', { days: 1 }, false],
] as const)('%s %j tells who has something open: %s', async (mutation, input, tells) => {
  const linked = await rig.link()
  let rings = 0
  const deafen = rig.tools.doorbell.listen(accessTopic(linked.applicationId), () => (rings += 1))
  const selection = mutation === 'requestSync' ? 'sync { id }' : 'connection { id }'
  const { code } = await rig.mutate(linked.owner, mutation, { connectionId: linked.id, ...input }, selection)
  deafen()
  expect([code, rings > 0]).toEqual([null, tells])
})
