import { type ClassType, Field, Float, ID, InterfaceType, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { type Id, pointId } from '../../domain/ids.ts'
import { type StatType, statTypes } from '../../providers/normalized-records.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  InstantKeyColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
} from '../../storage/sql/columns.ts'
import { Computed, Loaded } from '../schema/build-subgraph.ts'
import { DateTime } from '../schema/scalars.ts'
import { entityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import { EngineState, SeriesMetadata } from './location.ts'
import { VehicleOfTelemetry } from './vehicle-extension.ts'
import type { RawContext } from './raw-context.ts'

/** The enum of the graph: ENGINE_STATE for engine_state, and so on. */
export const VehicleStatType = Object.fromEntries(statTypes.map((type) => [type.toUpperCase(), type]))

registerEnumType(VehicleStatType, {
  name: 'VehicleStatType',
  description: 'What is measured.',
  valuesConfig: Object.fromEntries(
    statTypes.map((type) => [type.toUpperCase(), { description: `${type.replaceAll('_', ' ')}.` }]),
  ),
})

@Entity('vehicle_stat_logs')
@Indexes(['vehicleId', 'type', 'timestamp'])
@InterfaceType('VehicleStatLog', {
  autoRegisterImplementations: false,
  description: 'A measurement of a vehicle. Each type has a member of its own for its value.',
})
export abstract class VehicleStatLog {
  @KeyColumn()
  vehicleId: string

  @InstantKeyColumn()
  @Field(() => DateTime, { description: 'When it was measured.' })
  timestamp: number

  @KeyColumn()
  @Field(() => VehicleStatType, { description: 'What was measured.' })
  type: StatType

  @Field(() => ID, { description: 'A prefixed ULID.' })
  @Computed((row: VehicleStatLog) => pointId('vehicleStatLog', `${row.vehicleId}/${row.type}`, row.timestamp))
  id?: Id<'vehicleStatLog'>

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn({ hidden: true })
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @Field(() => ID, { nullable: true, description: "The measurement's id in the provider's system." })
  @TextColumn({ nullable: true })
  sourceId: string | null

  @Field(() => VehicleOfTelemetry, { nullable: true, description: 'The vehicle.' })
  @Computed((row: VehicleStatLog) => entityRef(row.vehicleId))
  vehicle?: VehicleOfTelemetry | null

  @NumberColumn({ nullable: true })
  value: number | null

  @IdColumn({ nullable: true })
  state: EngineState | null

  @InstantColumn()
  modifiedAt: number

  @Field(() => SeriesMetadata, { description: 'When it was stored here.' })
  @Computed((row: VehicleStatLog) => row)
  metadata?: SeriesMetadata

  @Field(() => [RawData], { description: "The provider's records that this one was made from." })
  @Loaded((row: VehicleStatLog, { telemetry }: RawContext) =>
    telemetry.rawOfPoint(row.vehicleId, row.timestamp, row.type),
  )
  raw?: RawData[]
}

interface Kind {
  readonly name: string
  /** The member that holds the value. */
  readonly member: string
  readonly says: string
  readonly of: string
}

const kinds: Readonly<Record<Exclude<StatType, 'engine_state'>, Kind>> = {
  odometer: { name: 'Odometer', member: 'odometer', says: 'Kilometers.', of: 'How far a vehicle has gone.' },
  total_fuel_consumption: {
    name: 'TotalFuelConsumption',
    member: 'fuelConsumed',
    says: 'Liters.',
    of: 'How much fuel a vehicle has used in its life.',
  },
  fuel_level: {
    name: 'FuelLevel',
    member: 'fuelPercentage',
    says: 'Percent, 0 to 100.',
    of: 'How full the tanks are.',
  },
  engine_runtime: {
    name: 'EngineRuntime',
    member: 'duration',
    says: 'Whole milliseconds.',
    of: 'How long an engine has run in its life.',
  },
  engine_rpm: {
    name: 'EngineRpm',
    member: 'rpm',
    says: 'Revolutions per minute.',
    of: 'How fast an engine turns.',
  },
  engine_oil_percentage: {
    name: 'EngineOilPercentage',
    member: 'percentage',
    says: 'Percent, 0 to 100.',
    of: 'How much engine oil there is.',
  },
  engine_oil_pressure: {
    name: 'EngineOilPressure',
    member: 'pressure',
    says: 'PSI.',
    of: 'The pressure of the engine oil.',
  },
  engine_oil_temperature: {
    name: 'EngineOilTemperature',
    member: 'temperature',
    says: 'Degrees Celsius.',
    of: 'How hot the engine oil is.',
  },
  engine_coolant_temperature: {
    name: 'EngineCoolantTemperature',
    member: 'temperature',
    says: 'Degrees Celsius.',
    of: 'How hot the coolant is.',
  },
  coolant_percentage: {
    name: 'CoolantPercentage',
    member: 'percentage',
    says: 'Percent, 0 to 100.',
    of: 'How much coolant there is.',
  },
  battery_voltage: {
    name: 'BatteryVoltage',
    member: 'voltage',
    says: 'Volts.',
    of: 'The voltage of the battery.',
  },
}

@ObjectType('EngineStateStatLog', {
  implements: VehicleStatLog,
  simpleResolvers: true,
  description: 'What an engine did from then on.',
})
export class EngineStateStatLog extends VehicleStatLog {
  @Field(() => EngineState, { description: 'On, off or idle.' })
  override state: EngineState
}

function statLogType({ name, member, says, of }: Kind): ClassType<VehicleStatLog> {
  class StatLog extends VehicleStatLog {}
  Field(() => Float, { description: says })(StatLog.prototype, member)
  Computed((row: VehicleStatLog) => row.value)(StatLog.prototype, member)
  ObjectType(`${name}StatLog`, {
    implements: VehicleStatLog,
    simpleResolvers: true,
    description: of,
  })(StatLog)
  return StatLog
}

export const statLogTypes: readonly ClassType<VehicleStatLog>[] = [
  EngineStateStatLog,
  ...Object.values(kinds).map(statLogType),
]

export const statLogTypeOf = ({ type }: Pick<VehicleStatLog, 'type'>): string =>
  type === 'engine_state' ? 'EngineStateStatLog' : `${kinds[type].name}StatLog`
