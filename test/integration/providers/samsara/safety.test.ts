import { afterAll, beforeAll, expect, test } from 'vitest'
import type { NormalizedSafetyEvent } from '../../../../src/domain/models/safety-event.ts'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import { samsaraAdapter } from '../../../../src/providers/samsara/adapter.ts'
import { safetyEvents } from '../../../../src/providers/samsara/readers/safety.ts'
import { type RunningFake, startFake } from '../../../fakes/kit/start-fake.ts'
import { emptyRoster } from '../../../support/providers/empty-roster.ts'

const NOW = '2026-06-15T18:00:00.000Z'
const WINDOW = { from: Date.parse(NOW) - 30 * 86_400_000, to: Date.parse(NOW) }

let fake: RunningFake
let api: ProviderApi
const adapter = () => samsaraAdapter(undefined, { regions: { us: fake.url, eu: fake.url, ca: fake.url } })

beforeAll(async () => {
  fake = await startFake('samsara', { vehicles: 12, days: 20, now: NOW })
  api = adapter().api({ token: 'fake-token-1' }, new AbortController().signal)
})
afterAll(() => fake[Symbol.asyncDispose]())

test('an event has one film for each of its cameras, which can be fetched', async () => {
  const events = await fake.truth<NormalizedSafetyEvent[]>('SafetyEvent')
  const kinds = new Map(events.map((event) => [[!!event.frontCamera, !!event.rearCamera].join(), event]))
  expect([...kinds.keys()].toSorted()).toEqual(['false,false', 'true,false', 'true,true'])
  for (const { sourceId, frontCamera, rearCamera } of kinds.values()) {
    const { files } = (await adapter().cameraMedia?.(api, sourceId, 0)) ?? {}
    expect([!!files?.frontFacing, !!files?.rearFacing]).toEqual([!!frontCamera, !!rearCamera])
    if (files?.frontFacing) expect(await (await api.file(files.frontFacing.url)).text()).toContain('film of')
  }
})

test('an event of a vehicle without a camera is read and has no films', async () => {
  const { records } = await safetyEvents.read(api, null, WINDOW, emptyRoster)
  const query = `startTime=${new Date(WINDOW.from).toISOString()}`
  const response = await fetch(`${fake.url}/safety-events/stream?${query}`, {
    headers: { authorization: 'Bearer fake-token-1' },
  })
  const defaultList = (await response.json()) as { readonly data: readonly { readonly id: string }[] }
  const filmed = new Set(defaultList.data.map(({ id }) => id))
  const others = (records as readonly { readonly id: string }[]).filter(({ id }) => !filmed.has(id))
  expect(others.length).toBeGreaterThan(0)
  for (const { id } of others)
    expect(await adapter().cameraMedia?.(api, id, 0)).toMatchObject({
      files: { frontFacing: null, rearFacing: null },
    })
})

test('the films of an event that the provider no longer has are errors as malformed', async () => {
  const gone = adapter().cameraMedia?.(api, 'bb2ff5ab-30ad-49ec-9d2d-55ec30bbf590,6caeb9c0-7e3d', 0)
  await expect(gone).rejects.toMatchObject({ kind: 'malformed' })
})

test('an event without a known label is left out, and the others are read', async () => {
  await fake.behave({ unknownLabels: 'yes' })
  const { records } = await safetyEvents.read(api, null, WINDOW, emptyRoster)
  const errors: unknown[] = []
  const normalized = records.flatMap((record) => {
    try {
      return safetyEvents.normalize(record)
    } catch (error) {
      errors.push(String(error))
      return []
    }
  })
  const truth = await fake.truth<NormalizedSafetyEvent[]>('SafetyEvent')
  expect(normalized.map(({ sourceId }) => sourceId).toSorted()).toEqual(
    truth.map(({ sourceId }) => sourceId).toSorted(),
  )
  expect(new Set(errors)).toEqual(new Set(['ProviderError: SafetyEvent.type: no known label']))
})
