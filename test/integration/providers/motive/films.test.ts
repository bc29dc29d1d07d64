import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { NormalizedSafetyEvent } from '../../../../src/domain/models/safety-event.ts'
import { motiveAdapter } from '../../../../src/providers/motive/adapter.ts'
import type { ProviderAdapter } from '../../../../src/providers/provider.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'

const NOW = '2026-06-15T18:00:00.000Z'

let fake: RunningFake
let adapter: ProviderAdapter
let api: ProviderApi

beforeAll(async () => {
  fake = await startFake('motive', { vehicles: 30, days: 10, now: NOW })
  await fake.behave({ cameras: 'some' })
  adapter = motiveAdapter(undefined, { baseUrl: fake.url })
  api = adapter.api({ apiKey: 'fake-key-1' }, new AbortController().signal)
})
afterAll(() => fake[Symbol.asyncDispose]())

test('the films of an event are found by its day and can be fetched', async () => {
  const events = await fake.truth<NormalizedSafetyEvent[]>('SafetyEvent')
  const harsh = events.filter(({ type }) => type !== 'speeding')
  const filmed = harsh.filter(({ frontCamera }) => frontCamera)
  expect(filmed.length).toBeGreaterThan(0)
  expect(harsh.length).toBeGreaterThan(filmed.length)
  for (const { sourceId, startedAt, frontCamera } of harsh) {
    const { files } = (await adapter.cameraMedia?.(api, sourceId, startedAt)) ?? {}
    expect(files?.frontFacing?.sourceId ?? null).toBe(frontCamera?.sourceId ?? null)
    expect(files?.rearFacing).toBeNull()
    if (files?.frontFacing) expect(await (await api.file(files.frontFacing.url)).text()).toContain('film of')
  }
})

test('speeding has no films, and an unknown event is refused as malformed', async () => {
  const at = Date.parse(NOW)
  const none = { frontFacing: null, rearFacing: null }
  expect((await adapter.cameraMedia?.(api, 'speeding:1', at))?.files).toEqual(none)
  await expect(adapter.cameraMedia?.(api, '1', at)).rejects.toMatchObject({ kind: 'malformed' })
})
