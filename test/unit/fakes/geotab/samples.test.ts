import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { callGeotab, refusalOf } from '../../../fakes/geotab/caller.ts'
import { moreKeys } from '../../../fakes/geotab/evidence/more-keys.ts'
import type { Entity } from '../../../fakes/geotab/words.ts'

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

describe('records beside stored samples', () => {
  test.each(Object.entries(entities))(
    '%s has the keys of the sample, and more only where they are known',
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

  test('a diagnostic that is measured has the keys of the sample', () => {
    const [sample] = sampleOf('diagnostic') as [Entity]
    const odometer = callGeotab().get('Diagnostic', { search: { id: 'DiagnosticOdometerId' } })[0]
    const { version: _version, ...told } = odometer as Entity
    expect(told).toEqual(sample)
  })

  test('errors have the keys of the samples, whichever of them is told', () => {
    for (const [errorNames, name] of [
      ['data', 'error-missing-method'],
      ['both', 'error-multicall-missing-method'],
    ] as const) {
      const caller = callGeotab({ switches: { errorNames } })
      const told = refusalOf(caller.post('Geet', { credentials: caller.credentials() }))
      const { error } = sampleOf(name)
      expect(Object.keys(told).sort()).toEqual(Object.keys(error).sort())
      expect(Object.keys(told.data).sort()).toEqual(Object.keys(error.data).sort())
    }
  })

  test('signing in answers in the shape of the sample', () => {
    const caller = callGeotab()
    const told = JSON.parse(caller.post('Authenticate', caller.signIn).body)
    const sample = sampleOf('authenticate')
    expect(Object.keys(told.result).sort()).toEqual(Object.keys(sample.result).sort())
    expect(Object.keys(told.result.credentials).sort()).toEqual(Object.keys(sample.result.credentials).sort())
  })
})

/** Users who drive are another kind than those who do not; a trip that goes nowhere has no average speed. */
const isLike = (entity: Entity, sample: Entity): boolean =>
  entity['isDriver'] === sample['isDriver'] &&
  (sample['averageSpeed'] === undefined || entity['distance'] !== 0)

/** Values are of the same kind; a reference may be an object or a string. */
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
