import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialects, unknownId } from '../factories.ts'
import { ConnectionsRig, type Linked } from './rig.ts'

const PROGRESS = 'subscription ($id: ID!) { syncProgress(syncId: $id) { id status progress completedAt } }'

interface Step {
  readonly status: string
  readonly progress: number
  readonly completedAt: string | null
}

describe.each(dialects)('the progress of a sync on %s', (dialect) => {
  let rig: ConnectionsRig
  beforeAll(async () => void (rig = await ConnectionsRig.start(dialect)))
  afterAll(() => rig[Symbol.asyncDispose]())

  const follow = async ({ party }: Pick<Linked, 'party'>, id: string): Promise<Step[]> =>
    (await rig.follow(party, PROGRESS, { id })).map(
      ({ data }) => (data as { syncProgress: Step }).syncProgress,
    )

  test('is told from where it is to its end, and then no more', async () => {
    const linked = await rig.link()
    const id = await rig.requestSync(linked)
    const following = follow(linked, id)
    await rig.run(id)
    const steps = await following
    expect(steps.length).toBeGreaterThan(1)
    expect(steps.at(-1)).toMatchObject({ status: 'COMPLETED', progress: 100 })
    expect(steps.slice(0, -1).every(({ completedAt }) => completedAt === null)).toBe(true)
    const progress = steps.map((step) => step.progress)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
  })

  test('of one that has ended is told once', async () => {
    const linked = await rig.link()
    const id = await rig.sync(linked)
    expect(await follow(linked, id)).toMatchObject([{ status: 'COMPLETED' }])
  })

  test('ends when it is cancelled', async () => {
    const linked = await rig.link()
    const id = await rig.requestSync(linked)
    const following = follow(linked, id)
    await rig.mutate(linked.party, 'cancelSync', { syncId: id }, 'sync { id }')
    expect((await following).at(-1)).toMatchObject({ status: 'FAILED' })
  })

  test.each([
    ['updateConnection', { status: 'ARCHIVED' }],
    ['deleteConnection', {}],
  ])('ends when %s ends it with its connection', async (verb, input) => {
    const linked = await rig.link()
    const id = await rig.requestSync(linked)
    const following = follow(linked, id)
    await rig.mutate(linked.party, verb, input, 'connection { id }')
    expect((await following).at(-1)).toMatchObject({ status: 'FAILED' })
  })

  test("of another's sync is like that of none", async () => {
    const [ours, theirs] = [await rig.link(), await rig.link()]
    const id = await rig.requestSync(theirs)
    for (const asked of [id, unknownId('sync')])
      await expect(follow(ours, asked)).rejects.toThrow('There is no such sync.')
  })
})
