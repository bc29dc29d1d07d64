import type { z } from 'zod'
import type { NormalizedStatLog, StatType } from '../../domain/models/vehicle-stat-log.ts'
import { parseParts } from '../mapping/readable-parts.ts'
import { numberIn, signedNumberIn } from './attributes.ts'
import { engineOf, sourceIdOf, toKilometers } from './mappers.ts'
import * as records from './schemas.ts'

type Position = z.infer<typeof records.position>

/** Values of a position by type of measurement, in the units of the API. */
const values: Partial<Record<StatType, (position: Position) => number | null>> = {
  odometer: ({ attributes }) => toKilometers(numberIn(attributes, 'odometer', 'totalDistance')),
  fuel_level: ({ attributes }) => numberIn(attributes, 'fuelLevel'),
  engine_runtime: ({ attributes }) => numberIn(attributes, 'hours'),
  engine_rpm: ({ attributes }) => numberIn(attributes, 'rpm'),
  engine_coolant_temperature: ({ attributes }) => signedNumberIn(attributes, 'coolantTemp'),
  battery_voltage: ({ attributes }) => numberIn(attributes, 'power'),
}

export const measuredTypes: readonly StatType[] = ['engine_state', ...(Object.keys(values) as StatType[])]

const stateOf = ({ attributes, speed }: Position): 'on' | 'off' | 'idle' | null => {
  const ignition = attributes['ignition']
  return typeof ignition === 'boolean' ? engineOf(ignition, speed) : null
}

/**
 * Returns one record per measurement of each position. An unreadable position gives one record, which the
 * mapping rejects.
 */
export const measurementsOf = (positions: readonly unknown[]): unknown[] =>
  positions.flatMap((position) => {
    const data = parseParts(records.position, position)
    if (!data) return [{ type: 'engine_state', position }]
    const types = measuredTypes.filter((type) =>
      type === 'engine_state' ? stateOf(data) !== null : values[type]?.(data) != null,
    )
    return types.map((type) => ({ type, position }))
  })

export function toStatLog({ type, position }: z.infer<typeof records.measurement>): NormalizedStatLog {
  const statType = measuredTypes.find((candidate) => candidate === type)
  if (statType === undefined) throw new Error(`${type} is not a supported measurement`)
  const value = values[statType]?.(position) ?? null
  const state = statType === 'engine_state' ? stateOf(position) : null
  if (value === null && state === null) throw new Error(`the position has no measurement ${type}`)
  return {
    vehicleSourceId: sourceIdOf(position.deviceId),
    type: statType,
    timestamp: position.fixTime,
    sourceId: null,
    value,
    state,
  }
}
