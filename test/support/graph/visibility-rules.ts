import { DriverStatus } from '../../../src/subgraphs/fleet/driver.ts'
import { VehicleStatus } from '../../../src/subgraphs/fleet/vehicle.ts'
import { driverRow, NOON, type RecordsOf, tripRow, vehicleRow } from '../factories.ts'

/** Names of a connection's records of each kind, in id order. */
export const NAMES = ['active 1', 'idle 1', 'gone active', 'active 2', 'idle 2', 'gone idle', 'active 3']
export const HERE = NAMES.filter((name) => !name.startsWith('gone'))
export const GONE = NAMES.filter((name) => name.startsWith('gone'))

export const rosterOf: RecordsOf = (owner) => {
  const facts = (name: string) => ({ deletedAt: GONE.includes(name) ? NOON : null, modifiedAt: NOON })
  const idle = (name: string) => name.includes('idle')
  const vehicles = NAMES.map((name) =>
    vehicleRow(owner, {
      ...facts(name),
      name,
      status: idle(name) ? VehicleStatus.INACTIVE : VehicleStatus.ACTIVE,
    }),
  )
  const drivers = NAMES.map((name) =>
    driverRow(owner, {
      ...facts(name),
      firstName: name,
      status: idle(name) ? DriverStatus.INACTIVE : DriverStatus.ACTIVE,
    }),
  )
  const trips = vehicles.map(({ id }, at) => tripRow(owner, { vehicleId: id, driverId: drivers[at]!.id }))
  return { vehicles, drivers, trips }
}

/** A filter by names instead of ids, and the records that each part of it hides. */
export interface Rule {
  readonly status?: 'active' | 'inactive' | null
  readonly includes?: readonly string[] | null
  readonly excludes?: readonly string[] | null
  readonly hides: Readonly<Record<string, string>>
}

/** Whether a rule shows a record, as if the record were not deleted. */
export function isShown({ status, includes, excludes }: Rule, name: string): boolean {
  if (includes?.length) return includes.includes(name)
  const isOtherStatus = status != null && name.includes('idle') !== (status === 'inactive')
  return !isOtherStatus && !excludes?.includes(name)
}

const by = (reason: string, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, `HIDDEN_BY_${reason}`]))

export const rules: Readonly<Record<string, Rule>> = {
  'a filter of nothing': { hides: {} },
  'empty lists': { includes: [], excludes: [], status: null, hides: {} },
  'a status': { status: 'active', hides: by('STATUS', 'idle 1', 'idle 2') },
  'the other status': {
    status: 'inactive',
    includes: [],
    hides: by('STATUS', 'active 1', 'active 2', 'active 3'),
  },
  'ids that are excluded': {
    excludes: ['active 1', 'idle 2', 'gone idle'],
    hides: by('EXCLUDE_LIST', 'active 1', 'idle 2'),
  },
  'a status, then ids that are excluded': {
    status: 'active',
    includes: null,
    excludes: ['active 2', 'idle 1'],
    hides: { ...by('STATUS', 'idle 1', 'idle 2'), ...by('EXCLUDE_LIST', 'active 2') },
  },
  'ids that are included, alone': {
    includes: ['idle 1', 'active 3'],
    hides: by('INCLUDE_LIST', 'active 1', 'active 2', 'idle 2'),
  },
  'ids that are included, whatever else there is': {
    status: 'active',
    includes: ['idle 1', 'active 3'],
    excludes: ['active 3', 'idle 1', 'active 1'],
    hides: by('INCLUDE_LIST', 'active 1', 'active 2', 'idle 2'),
  },
  'an included id of a deleted record': {
    includes: ['gone active'],
    hides: by('INCLUDE_LIST', ...HERE),
  },
  'an included unknown id': {
    includes: ['nobody'],
    excludes: [],
    hides: by('INCLUDE_LIST', ...HERE),
  },
}
