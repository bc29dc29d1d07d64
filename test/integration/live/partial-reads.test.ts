import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { LatestModel } from '../../../src/domain/record-models.ts'
import { ProviderError, type ProviderErrorKind } from '../../../src/providers/provider-error.ts'
import type { ProviderAdapter, Reader, ReaderState } from '../../../src/providers/provider.ts'
import { dialects, MINUTE } from '../../support/factories.ts'
import { OnDemandHarness } from '../../support/harnesses/on-demand-harness.ts'

const MODEL: LatestModel = 'HOSAvailableTime'
const PATH = '/hos/available-time'

/** A provider that answers some requests, each for one driver, and then refuses. */
interface ProviderBehavior {
  left: number
  /** Error for the next request with a cursor. */
  cursorError?: ProviderErrorKind | undefined
  /** Offsets of the requests. */
  readonly offsets: number[]
}

const withDriverPages =
  (behavior: ProviderBehavior) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const reader = adapter.latest[MODEL] as Reader<never>
    const read: typeof reader.read = async (api, state: ReaderState, window, roster) => {
      const at = Number(state?.['at'] ?? 0)
      if (state && behavior.cursorError) {
        const kind = behavior.cursorError
        behavior.cursorError = undefined
        throw new ProviderError(kind, 'no such cursor')
      }
      if (behavior.left-- <= 0) throw new ProviderError('limited', 'busy', { retryAfterMs: MINUTE })
      behavior.offsets.push(at)
      const { records } = await reader.read(api, null, window, roster)
      return {
        records: records.slice(at, at + 1),
        next: at + 1 < records.length ? { at: at + 1 } : null,
      }
    }
    return { ...adapter, latest: { ...adapter.latest, [MODEL]: { ...reader, read } } }
  }

describe.each(dialects)('latest records in many pages on %s', (dialect) => {
  let live: OnDemandHarness
  beforeAll(async () => void (live = await OnDemandHarness.start(dialect)))
  afterEach(() => void (live.harness.adapt = (adapter) => adapter))
  afterAll(() => live[Symbol.asyncDispose]())

  const useProvider = (left: number): ProviderBehavior => {
    const behavior: ProviderBehavior = { left, offsets: [] }
    live.harness.adapt = withDriverPages(behavior)
    return behavior
  }

  test('are continued by the next request until they are complete', async () => {
    const linked = await live.manual()
    const behavior = useProvider(2)
    const { status, headers } = await live.get(linked.client, PATH)
    expect([status, headers['retry-after']]).toEqual([429, '60'])
    live.harness.moveClock(MINUTE)
    behavior.left = 1000
    const { body } = await live.get(linked.client, PATH)
    expect(body.results.length).toBeGreaterThan(3)
    expect(behavior.offsets).toEqual([...body.results.keys()])
    live.harness.moveClock(MINUTE)
    await live.get(linked.client, PATH)
    expect(behavior.offsets).toHaveLength(2 * body.results.length)
  })

  test('are continued by the next poll, and stay valid as long as the polls took', async () => {
    const linked = await live.harness.link()
    const behavior = useProvider(2)
    await live.poll(linked, MODEL)
    live.harness.moveClock(5 * MINUTE)
    behavior.left = 1000
    await live.poll(linked, MODEL)
    const { length } = behavior.offsets
    expect(length).toBeGreaterThan(3)
    expect(behavior.offsets).toEqual([...Array(length).keys()])
    live.harness.moveClock(10 * MINUTE)
    const { body } = await live.get(linked.client, PATH)
    expect([body.results.length, behavior.offsets.length]).toEqual([length, length])
  })

  test('are read from the start after a long pause', async () => {
    const linked = await live.manual()
    const behavior = useProvider(2)
    await live.get(linked.client, PATH)
    live.harness.moveClock(10 * MINUTE)
    behavior.left = 1000
    await live.get(linked.client, PATH)
    expect(behavior.offsets.slice(0, 4)).toEqual([0, 1, 0, 1])
  })

  test('are read from the start if the provider forgets the cursor', async () => {
    const linked = await live.manual()
    const behavior = useProvider(2)
    await live.get(linked.client, PATH)
    Object.assign(behavior, { left: 1000, cursorError: 'malformed' })
    expect((await live.get(linked.client, PATH)).status).toBe(200)
    expect(behavior.offsets.slice(0, 4)).toEqual([0, 1, 0, 1])
  })

  test('stay valid for the normal time after a request completes them', async () => {
    const linked = await live.harness.link()
    const behavior = useProvider(2)
    await live.get(linked.client, PATH)
    live.harness.moveClock(5 * MINUTE)
    behavior.left = 1000
    await live.get(linked.client, PATH)
    const { length } = behavior.offsets
    live.harness.moveClock(1000)
    await live.get(linked.client, PATH)
    expect(behavior.offsets).toHaveLength(2 * length)
  })

  test('cause a 502 if the cursors loop', async () => {
    const linked = await live.manual()
    let reads = 0
    live.harness.adapt = (adapter) => {
      const reader = adapter.latest[MODEL] as Reader<never>
      const read: typeof reader.read = async () => {
        if (++reads > 1000) throw new Error('the cursors loop')
        return { records: [], next: { at: reads % 7 } }
      }
      return { ...adapter, latest: { ...adapter.latest, [MODEL]: { ...reader, read } } }
    }
    expect((await live.get(linked.client, PATH)).status).toBe(502)
    expect(reads).toBeLessThan(50)
  })

  test('cause an error if a poll reads nothing', async () => {
    const linked = await live.harness.link()
    useProvider(0)
    await expect(live.poll(linked, MODEL)).rejects.toThrow('busy')
  })
})
