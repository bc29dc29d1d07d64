import { type ClassType, Field, Float, ID, InterfaceType, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import { type Id, pointId } from '../../domain/ids.ts'
import { type StatType, statTypes } from '../../domain/models/vehicle-stat-log.ts'
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
import { entityRef, type EntityRef } from '../schema/entity-references.ts'
import { RawData } from '../schema/value-types.ts'
import { EngineState } from '../schema/enums/engine-state.ts'
import { SeriesMetadata } from './location.ts'
import { TelemetryVehicleExtension } from './vehicle-extension.ts'
import type { TelemetryRawContext } from './raw-context.ts'
import { ConnectionField } from '../schema/graph-only-fields.ts'

/** Stored types by GraphQL enum value: `ENGINE_STATE` stands for `engine_state`. */
export const VehicleStatType = Object.fromEntries(statTypes.map((type) => [type.toUpperCase(), type]))

@Entity('vehicle_stat_logs')
@Indexes(['vehicleId', 'type', 'timestamp'])
@InterfaceType('VehicleStatLog', {
  autoRegisterImplementations: false,
  description: 'A measurement of a vehicle. Each implementing type has its own field for the value.',
})
export abstract class VehicleStatLog {
  @KeyColumn()
  vehicleId: string

  @InstantKeyColumn()
  @Field(() => DateTime, { description: 'When the value was measured.' })
  timestamp: number

  @KeyColumn()
  @Field(() => VehicleStatType, { description: 'The type of the measurement.' })
  type: StatType

  @Field(() => ID, { description: 'A prefixed ULID.' })
  @Computed((row: VehicleStatLog) => pointId('vehicleStatLog', `${row.vehicleId}/${row.type}`, row.timestamp))
  id?: Id<'vehicleStatLog'>

  @IdColumn({ hidden: true })
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @Field(() => String, { description: "The provider's code." })
  @IdColumn()
  provider: string

  @ConnectionField()
  connection?: EntityRef | null

  @Field(() => ID, { nullable: true, description: "The measurement's id in the provider's system." })
  @TextColumn({ nullable: true })
  sourceId: string | null

  @Field(() => TelemetryVehicleExtension, { nullable: true, description: 'The vehicle.' })
  @Computed((row: VehicleStatLog) => entityRef(row.vehicleId))
  vehicle?: TelemetryVehicleExtension | null

  @NumberColumn({ nullable: true })
  value: number | null

  @IdColumn({ nullable: true })
  state: EngineState | null

  @InstantColumn()
  modifiedAt: number

  @Field(() => SeriesMetadata, { description: 'When Odograph stored the record.' })
  @Computed((row: VehicleStatLog) => row)
  metadata?: SeriesMetadata

  @Field(() => [RawData], { description: "The provider's records from which this record was mapped." })
  @Loaded((row: VehicleStatLog, { telemetry }: TelemetryRawContext) =>
    telemetry.rawOfPoint(row.vehicleId, row.timestamp, row.type),
  )
  raw?: RawData[]
}

interface StatLogKind {
  /** Name of the GraphQL type without `StatLog`. */
  readonly name: string
  /** Name of the field that contains the value. */
  readonly valueField: string
  readonly valueDescription: string
  readonly typeDescription: string
}

const kinds: Readonly<Record<Exclude<StatType, 'engine_state'>, StatLogKind>> = {
  odometer: {
    name: 'Odometer',
    valueField: 'odometer',
    valueDescription: 'The odometer reading in kilometers.',
    typeDescription: 'The total distance of a vehicle.',
  },
  total_fuel_consumption: {
    name: 'TotalFuelConsumption',
    valueField: 'fuelConsumed',
    valueDescription: 'The consumed fuel in liters.',
    typeDescription: 'The total fuel consumption of a vehicle.',
  },
  fuel_level: {
    name: 'FuelLevel',
    valueField: 'fuelPercentage',
    valueDescription: 'The fuel level in percent, 0 to 100.',
    typeDescription: 'The fuel level of a vehicle.',
  },
  engine_runtime: {
    name: 'EngineRuntime',
    valueField: 'duration',
    valueDescription: 'The running time in whole milliseconds.',
    typeDescription: 'The total running time of an engine.',
  },
  engine_rpm: {
    name: 'EngineRpm',
    valueField: 'rpm',
    valueDescription: 'The revolutions per minute.',
    typeDescription: 'The speed of an engine.',
  },
  engine_oil_percentage: {
    name: 'EngineOilPercentage',
    valueField: 'percentage',
    valueDescription: 'The oil level in percent, 0 to 100.',
    typeDescription: 'The engine oil level.',
  },
  engine_oil_pressure: {
    name: 'EngineOilPressure',
    valueField: 'pressure',
    valueDescription: 'The pressure in PSI.',
    typeDescription: 'The pressure of the engine oil.',
  },
  engine_oil_temperature: {
    name: 'EngineOilTemperature',
    valueField: 'temperature',
    valueDescription: 'The temperature in degrees Celsius.',
    typeDescription: 'The temperature of the engine oil.',
  },
  engine_coolant_temperature: {
    name: 'EngineCoolantTemperature',
    valueField: 'temperature',
    valueDescription: 'The temperature in degrees Celsius.',
    typeDescription: 'The temperature of the coolant.',
  },
  coolant_percentage: {
    name: 'CoolantPercentage',
    valueField: 'percentage',
    valueDescription: 'The coolant level in percent, 0 to 100.',
    typeDescription: 'The coolant level.',
  },
  battery_voltage: {
    name: 'BatteryVoltage',
    valueField: 'voltage',
    valueDescription: 'The voltage in volts.',
    typeDescription: 'The voltage of the battery.',
  },
}

const ENGINE_STATE_DESCRIPTION = 'The state of an engine from this time on.'

registerEnumType(VehicleStatType, {
  name: 'VehicleStatType',
  description: 'The type of a measurement.',
  valuesConfig: Object.fromEntries(
    statTypes.map((type) => [
      type.toUpperCase(),
      { description: type === 'engine_state' ? ENGINE_STATE_DESCRIPTION : kinds[type].typeDescription },
    ]),
  ),
})

@ObjectType('EngineStateStatLog', {
  implements: VehicleStatLog,
  simpleResolvers: true,
  description: ENGINE_STATE_DESCRIPTION,
})
export class EngineStateStatLog extends VehicleStatLog {
  @Field(() => EngineState, { description: 'The state: on, off or idle.' })
  override state: EngineState
}

function createStatLogType({
  name,
  valueField,
  valueDescription,
  typeDescription,
}: StatLogKind): ClassType<VehicleStatLog> {
  class StatLog extends VehicleStatLog {}
  Field(() => Float, { description: valueDescription })(StatLog.prototype, valueField)
  Computed((row: VehicleStatLog) => row.value)(StatLog.prototype, valueField)
  ObjectType(`${name}StatLog`, {
    implements: VehicleStatLog,
    simpleResolvers: true,
    description: typeDescription,
  })(StatLog)
  return StatLog
}

export const statLogTypes: readonly ClassType<VehicleStatLog>[] = [
  EngineStateStatLog,
  ...Object.values(kinds).map(createStatLogType),
]

export const statLogTypeOf = ({ type }: Pick<VehicleStatLog, 'type'>): string =>
  type === 'engine_state' ? 'EngineStateStatLog' : `${kinds[type].name}StatLog`
