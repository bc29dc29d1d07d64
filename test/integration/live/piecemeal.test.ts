import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { LatestModel } from '../../../src/domain/record-models.ts'
import { ProviderError, type ProviderErrorKind } from '../../../src/providers/provider-error.ts'
import type { ProviderAdapter, Reader, ReaderState } from '../../../src/providers/provider.ts'
import { dialects, MINUTE } from '../../support/factories.ts'
import { OnDemandHarness } from '../../support/on-demand-harness.ts'

const MODEL: LatestModel = 'HOSAvailableTime'
const PATH = '/hos/available-time'

/** How a provider takes what it is asked: so many requests, each for one driver, and then none for a while. */
interface Manner {
  left: number
  /** What it says to a place that it gave before, once. */
  forgets?: ProviderErrorKind | undefined
  /** The places that it was asked for. */
  readonly asked: number[]
}

const bitByBit =
  (manner: Manner) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.latest[MODEL] as Reader<never>
    const read: typeof reader.read = async (api, state: ReaderState, window, roster) => {
      const at = Number(state?.['at'] ?? 0)
      if (state && manner.forgets) {
        const kind = manner.forgets
        manner.forgets = undefined
        throw new ProviderError(kind, 'no such place')
      }
      if (manner.left-- <= 0) throw new ProviderError('limited', 'busy', { retryAfterMs: MINUTE })
      manner.asked.push(at)
      const { records } = await reader.read(api, null, window, roster)
      return {
        records: records.slice(at, at + 1),
        next: at + 1 < records.length ? { at: at + 1 } : null,
      }
    }
    return { ...adapter, latest: { ...adapter.latest, [MODEL]: { ...reader, read } } }
  }

describe.each(dialects)('what a provider tells bit by bit, on %s,', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterEach(() => void (live.harness.adapt = (adapter) => adapter))
  afterAll(() => live[Symbol.asyncDispose]())

  const meet = (left: number): Manner => {
    const manner: Manner = { left, asked: [] }
    live.harness.adapt = bitByBit(manner)
    return manner
  }

  test('is gone on with by who asks again, until all of it is there', async () => {
    const linked = await live.manual()
    const manner = meet(2)
    const { status, headers } = await live.get(linked.party, PATH)
    expect([status, headers['retry-after']]).toEqual([429, '60'])
    live.harness.moveClock(MINUTE)
    manner.left = 1000
    const { body } = await live.get(linked.party, PATH)
    expect(body.results.length).toBeGreaterThan(3)
    expect(manner.asked).toEqual([...body.results.keys()])
    live.harness.moveClock(MINUTE)
    await live.get(linked.party, PATH)
    expect(manner.asked).toHaveLength(2 * body.results.length)
  })

  test('is gone on with by the next poll, and stands for as long as it took', async () => {
    const linked = await live.harness.link()
    const manner = meet(2)
    await live.poll(linked, MODEL)
    live.harness.moveClock(5 * MINUTE)
    manner.left = 1000
    await live.poll(linked, MODEL)
    const { length } = manner.asked
    expect(length).toBeGreaterThan(3)
    expect(manner.asked).toEqual([...Array(length).keys()])
    live.harness.moveClock(10 * MINUTE)
    const { body } = await live.get(linked.party, PATH)
    expect([body.results.length, manner.asked.length]).toEqual([length, length])
  })

  test('is told from the beginning where it was left too long ago', async () => {
    const linked = await live.manual()
    const manner = meet(2)
    await live.get(linked.party, PATH)
    live.harness.moveClock(10 * MINUTE)
    manner.left = 1000
    await live.get(linked.party, PATH)
    expect(manner.asked.slice(0, 4)).toEqual([0, 1, 0, 1])
  })

  test('is told from the beginning where the provider does not know the place any more', async () => {
    const linked = await live.manual()
    const manner = meet(2)
    await live.get(linked.party, PATH)
    Object.assign(manner, { left: 1000, forgets: 'malformed' })
    expect((await live.get(linked.party, PATH)).status).toBe(200)
    expect(manner.asked.slice(0, 4)).toEqual([0, 1, 0, 1])
  })

  test('stands for no longer than any other once a caller has read it to its end', async () => {
    const linked = await live.harness.link()
    const manner = meet(2)
    await live.get(linked.party, PATH)
    live.harness.moveClock(5 * MINUTE)
    manner.left = 1000
    await live.get(linked.party, PATH)
    const { length } = manner.asked
    live.harness.moveClock(1000)
    await live.get(linked.party, PATH)
    expect(manner.asked).toHaveLength(2 * length)
  })

  test('is not read in a circle for ever', async () => {
    const linked = await live.manual()
    let asked = 0
    live.harness.adapt = (adapter) => {
      const reader = adapter.latest[MODEL] as Reader<never>
      const read: typeof reader.read = async () => {
        if (++asked > 1000) throw new Error('it was read in a circle')
        return { records: [], next: { at: asked % 7 } }
      }
      return { ...adapter, latest: { ...adapter.latest, [MODEL]: { ...reader, read } } }
    }
    expect((await live.get(linked.party, PATH)).status).toBe(502)
    expect(asked).toBeLessThan(50)
  })

  test('fails a poll that came to nothing', async () => {
    const linked = await live.harness.link()
    meet(0)
    await expect(live.poll(linked, MODEL)).rejects.toThrow('busy')
  })
})
