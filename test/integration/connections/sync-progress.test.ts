import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects, unknownId } from '../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const PROGRESS = 'subscription ($id: ID!) { syncProgress(syncId: $id) { id status progress completedAt } }'

interface Step {
  readonly status: string
  readonly progress: number
  readonly completedAt: string | null
}

describe.each(dialects)('the progress of a sync on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const follow = async ({ client }: Pick<Linked, 'client'>, id: string): Promise<Step[]> =>
    (await harness.follow(client, PROGRESS, { id })).map(
      ({ data }) => (data as { syncProgress: Step }).syncProgress,
    )

  test('is published from the current step to the end, and then completes', async () => {
    const linked = await harness.link()
    const id = await harness.requestSync(linked)
    const following = follow(linked, id)
    await harness.run(id)
    const steps = await following
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.at(-1)).toMatchObject({ status: 'COMPLETED', progress: 100 })
    expect(steps.slice(0, -1).every(({ completedAt }) => completedAt === null)).toBe(true)
    const progress = steps.map((step) => step.progress)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  })

  test('is published once for an ended sync', async () => {
    const linked = await harness.link()
    const id = await harness.sync(linked)
    expect(await follow(linked, id)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('ends when the sync is cancelled', async () => {
    const linked = await harness.link()
    const id = await harness.requestSync(linked)
    const following = follow(linked, id)
    await harness.mutate(linked.client, 'cancelSync', { syncId: id }, 'sync { id }')
    expect((await following).at(-1)).toMatchObject({ status: 'FAILED' })
  })

  test.each([
    ['updateConnection', { status: 'ARCHIVED' }],
    ['deleteConnection', {}],
  ])('ends when %s ends the sync with its connection', async (mutation, input) => {
    const linked = await harness.link()
    const id = await harness.requestSync(linked)
    const following = follow(linked, id)
    await harness.mutate(linked.client, mutation, input, 'connection { id }')
    expect((await following).at(-1)).toMatchObject({ status: 'FAILED' })
  })

  test('fails the same way for a sync of another application and an unknown one', async () => {
    const [ours, theirs] = [await harness.link(), await harness.link()]
    const id = await harness.requestSync(theirs)
    for (const syncId of [id, unknownId('sync')])
      await expect(follow(ours, syncId)).rejects.toThrow('There is no such sync.')
  })
})
