import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { callGeotab, refusalOf } from '../../../fakes/geotab/caller.ts'
import { moreKeys } from '../../../fakes/geotab/evidence/more-keys.ts'
import type { Entity } from '../../../fakes/geotab/formats.ts'

const sampleOf = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../fakes/geotab/samples/${name}.json`, import.meta.url), 'utf8'))

const entities = {
  Device: 'device',
  User: 'user',
  Group: 'group',
  Trip: 'trip',
  LogRecord: 'log-record',
  StatusData: 'status-data',
  DeviceStatusInfo: 'device-status-info',
  ExceptionEvent: 'exception-event',
  FaultData: 'fault-data',
  DriverChange: 'driver-change',
} as const

describe('records compared with stored samples', () => {
  test.each(Object.entries(entities))(
    '%s has the keys of the sample, and no others except known ones',
    (type, name) => {
      const caller = callGeotab()
      const found = caller.get(type)
      const sample = sampleOf(name)
      for (const entity of found.filter((each) => isLike(each, sample))) {
        const keys = Object.keys(entity)
        const missing = Object.keys(sample).filter((key) => !keys.includes(key))
        const invented = keys.filter((key) => !Object.hasOwn(sample, key) && !moreKeys[type]?.includes(key))
        expect({ missing, invented }).toEqual({ missing: [], invented: [] })
        for (const key of Object.keys(sample)) expect(shapeOf(entity[key])).toMatch(shapesOf(sample[key]))
      }
      expect(found.length).toBeGreaterThan(0)
    },
  )

  test('a measured diagnostic equals the sample', () => {
    const [sample] = sampleOf('diagnostic') as [Entity]
    const odometer = callGeotab().get('Diagnostic', { search: { id: 'DiagnosticOdometerId' } })[0]
    const { version: _version, ...diagnostic } = odometer as Entity
    expect(diagnostic).toEqual(sample)
  })

  test('errors have the keys of the samples in each variant', () => {
    for (const [errorNames, name] of [
      ['data', 'error-missing-method'],
      ['both', 'error-multicall-missing-method'],
    ] as const) {
      const caller = callGeotab({ switches: { errorNames } })
      const refusal = refusalOf(caller.post('Geet', { credentials: caller.credentials() }))
      const { error } = sampleOf(name)
      expect(Object.keys(refusal).sort()).toEqual(Object.keys(error).sort())
      expect(Object.keys(refusal.data).sort()).toEqual(Object.keys(error.data).sort())
    }
  })

  test('the sign-in response has the keys of the sample', () => {
    const caller = callGeotab()
    const response = JSON.parse(caller.post('Authenticate', caller.signIn).body)
    const sample = sampleOf('authenticate')
    expect(Object.keys(response.result).sort()).toEqual(Object.keys(sample.result).sort())
    expect(Object.keys(response.result.credentials).sort()).toEqual(
      Object.keys(sample.result.credentials).sort(),
    )
  })
})

/** Drivers and other users have different keys; a trip of no distance has no average speed. */
const isLike = (entity: Entity, sample: Entity): boolean =>
  entity['isDriver'] === sample['isDriver'] &&
  (sample['averageSpeed'] === undefined || entity['distance'] !== 0)

/** Returns the kind of a value. A reference may be an object or a string. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  if (typeof value !== 'string') return typeof value
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return 'time'
  return /^-?(\d+\.)?\d\d:\d\d:\d\d(\.\d{7})?$/.test(value) ? 'span' : 'string'
}

const shapesOf = (value: unknown): RegExp => {
  const shape = shapeOf(value)
  if (shape === 'string' || shape === 'object') return /^(string|object)$/
  return shape === 'number' ? /^(number|string)$/ : new RegExp(`^${shape}$`)
}
