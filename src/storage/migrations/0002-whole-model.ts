import type { MigrationInterface, QueryRunner } from 'typeorm'
import { addColumns, addIndex, createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'
import { SOURCED, SOURCED_KEYS } from './provider-record-columns.ts'

/** Tenant columns of time series and latest states, which have no id and no metadata. */
const OWNED = `
  applicationId ID NOT NULL
  connectionId ID NOT NULL
  provider ID NOT NULL`

const LOCATION = `
  locatedAt INSTANT NOT NULL
  longitude NUMBER NOT NULL
  latitude NUMBER NOT NULL
  addressText TEXT NULL
  heading NUMBER NULL
  speed NUMBER NULL`

/** Keys of records that are read by their time, for a connection, an application or an owner, such as a vehicle. */
const byTime = (time: string, ...owners: readonly string[]) => ({
  primaryKey: ['id'],
  indexes: [
    ...SOURCED_KEYS.indexes,
    ...['connectionId', 'applicationId', ...owners].map((owner) => [owner, time, 'id']),
  ],
})

const tables: readonly TableDefinition[] = [
  {
    name: 'trailers',
    columns: `${SOURCED}
      status ID NOT NULL
      name TEXT NULL
      vin TEXT NULL
      serialNumber TEXT NULL
      make TEXT NULL
      model TEXT NULL
      year NUMBER NULL
      groupIds JSON NOT NULL
      licensePlateState ID NULL
      licensePlateNumber TEXT NULL
      createdAt INSTANT NULL
      updatedAt INSTANT NULL`,
    ...SOURCED_KEYS,
  },
  {
    name: 'hos_logs',
    columns: `${SOURCED}
      status ID NOT NULL
      driverId ID NOT NULL
      vehicleId ID NULL
      codriverIds JSON NOT NULL
      startedAt INSTANT NOT NULL
      endedAt INSTANT NULL
      longitude NUMBER NULL
      latitude NUMBER NULL
      remarks JSON NOT NULL`,
    ...byTime('startedAt', 'driverId'),
  },
  {
    name: 'hos_daily_logs',
    columns: `${SOURCED}
      driverId ID NOT NULL
      date ID NOT NULL
      onDuty NUMBER NULL
      offDuty NUMBER NULL
      driving NUMBER NULL
      waiting NUMBER NULL
      sleeperBed NUMBER NULL
      personalConveyance NUMBER NULL
      yardMove NUMBER NULL
      totalDistance NUMBER NULL
      drivingDistance NUMBER NULL
      personalConveyanceDistance NUMBER NULL
      yardMoveDistance NUMBER NULL`,
    ...byTime('date', 'driverId'),
  },
  {
    name: 'fault_code_events',
    columns: `${SOURCED}
      protocol ID NOT NULL
      vehicleId ID NOT NULL
      status ID NOT NULL
      code TEXT NOT NULL
      description JSON NULL
      observedAt INSTANT NOT NULL
      milStatus ID NULL
      spn NUMBER NULL
      spnDescription TEXT NULL
      fmi NUMBER NULL
      fmiDescription TEXT NULL
      occurrenceCount NUMBER NULL
      sourceAddress NUMBER NULL`,
    ...byTime('observedAt', 'vehicleId'),
  },
  {
    // Sums over days are read vehicle by vehicle, in the order of these indexes.
    name: 'vehicle_days',
    columns: `${SOURCED}
      vehicleId ID NOT NULL
      date ID NOT NULL
      distance NUMBER NOT NULL
      fuelConsumed NUMBER NULL
      driving NUMBER NULL
      idling NUMBER NULL`,
    primaryKey: ['id'],
    indexes: [
      ['connectionId', 'vehicleId', 'date'],
      ['applicationId', 'vehicleId', 'date'],
    ],
  },
  {
    name: 'ifta_vehicle_months',
    columns: `${SOURCED}
      vehicleId ID NOT NULL
      jurisdiction ID NOT NULL
      month ID NOT NULL
      distance NUMBER NOT NULL`,
    primaryKey: ['id'],
    indexes: [
      ['connectionId', 'vehicleId', 'jurisdiction', 'month'],
      ['applicationId', 'vehicleId', 'jurisdiction', 'month'],
    ],
  },
  {
    // Clustered by vehicle and time. Reads of single measurement types use ranges of the other index.
    name: 'vehicle_stat_logs',
    columns: `
      vehicleId ID NOT NULL
      timestamp INSTANT NOT NULL
      type ID NOT NULL${OWNED}
      sourceId TEXT NULL
      value NUMBER NULL
      state ID NULL
      modifiedAt INSTANT NOT NULL`,
    primaryKey: ['vehicleId', 'timestamp', 'type'],
    indexes: [['vehicleId', 'type', 'timestamp']],
  },
  {
    // Raw data of the points of time series, clustered like the series.
    name: 'raw_points',
    columns: `
      ownerId ID NOT NULL
      at INSTANT NOT NULL
      series ID NOT NULL${OWNED}
      schemaName ID NOT NULL
      extractedAt INSTANT NOT NULL
      data JSON NOT NULL`,
    primaryKey: ['ownerId', 'at', 'series'],
  },
  {
    name: 'latest_trailer_locations',
    columns: `
      trailerId ID NOT NULL${OWNED}${LOCATION}
      modifiedAt INSTANT NOT NULL`,
    primaryKey: ['trailerId'],
    indexes: [['applicationId', 'connectionId', 'trailerId']],
  },
  {
    name: 'hos_available_times',
    columns: `
      driverId ID NOT NULL${OWNED}
      currentStatus ID NULL
      cycle NUMBER NULL
      shift NUMBER NULL
      drive NUMBER NULL
      break NUMBER NULL
      modifiedAt INSTANT NOT NULL`,
    primaryKey: ['driverId'],
    indexes: [['applicationId', 'connectionId', 'driverId']],
  },
]

const columns: Readonly<Record<string, string>> = {
  safety_events: `
    endLongitude NUMBER NULL
    endLatitude NUMBER NULL
    frontCamera JSON NULL
    rearCamera JSON NULL
    extensions JSON NULL`,
  vehicle_locations: `
    sourceId TEXT NULL`,
  // Few connections have filters. The index on this column finds them.
  connections: `
    hasFilters FLAG GENERATED ALWAYS AS (filters IS NOT NULL) VIRTUAL`,
}

export class WholeModel implements MigrationInterface {
  readonly name = 'WholeModel1700000000002'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const table of tables) for (const sql of createTable(dialect, table)) await runner.query(sql)
    for (const [table, added] of Object.entries(columns)) await addColumns(runner, dialect, table, added)
    await addIndex(runner, dialect, 'connections', ['applicationId', 'hasFilters'])
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
