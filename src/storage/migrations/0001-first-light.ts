import type { MigrationInterface, QueryRunner } from 'typeorm'
import { createTable, type Dialect, type TableDefinition } from '../sql/dialect.ts'
import { SOURCED, SOURCED_KEYS, TENANT } from './provider-record-columns.ts'

const tables: readonly TableDefinition[] = [
  {
    name: 'applications',
    columns: `
      id ID NOT NULL
      name TEXT NOT NULL
      environment ID NOT NULL
      createdAt INSTANT NOT NULL`,
    primaryKey: ['id'],
  },
  {
    name: 'api_keys',
    columns: `
      id ID NOT NULL
      applicationId ID NOT NULL
      use ID NOT NULL
      hash ID NOT NULL
      hint ID NOT NULL
      createdAt INSTANT NOT NULL
      revokedAt INSTANT NULL`,
    primaryKey: ['id'],
    unique: [['hash']],
  },
  {
    name: 'connections',
    columns: `${TENANT}
      provider ID NOT NULL
      status ID NOT NULL
      syncMode ID NOT NULL
      company JSON NOT NULL
      account JSON NOT NULL
      options JSON NOT NULL
      tags JSON NOT NULL
      filters JSON NULL
      sourceId TEXT NULL
      externalId TEXT NULL
      tokenHash ID NOT NULL
      tokenSealed TEXT NOT NULL
      credentialsSealed JSON NOT NULL
      backfillFrom INSTANT NULL
      createdAt INSTANT NOT NULL
      updatedAt INSTANT NOT NULL
      lastStamp INSTANT NOT NULL
      lastSyncId ID NULL`,
    primaryKey: ['id'],
    unique: [['tokenHash']],
    indexes: [
      ['applicationId', 'id'],
      ['status', 'id'],
    ],
  },
  {
    name: 'agreements',
    columns: `${TENANT}
      agreementUrl TEXT NOT NULL
      acceptedAt INSTANT NOT NULL
      acceptedBy JSON NOT NULL
      location TEXT NULL
      ipAddress TEXT NULL
      userAgent TEXT NULL`,
    primaryKey: ['id'],
    indexes: [['connectionId']],
  },
  {
    name: 'syncs',
    columns: `${TENANT}
      status ID NOT NULL
      requestedAt INSTANT NOT NULL
      completedAt INSTANT NULL
      failureReason TEXT NULL
      progress NUMBER NOT NULL
      startFrom INSTANT NULL
      attempts NUMBER NOT NULL
      leaseOwner ID NULL
      leasedUntil INSTANT NULL`,
    primaryKey: ['id'],
    indexes: [
      ['applicationId', 'connectionId', 'id'],
      ['status', 'leasedUntil'],
    ],
  },
  {
    name: 'checkpoints',
    columns: `
      connectionId ID NOT NULL
      model ID NOT NULL
      syncId ID NOT NULL
      state JSON NULL
      done NUMBER NOT NULL`,
    primaryKey: ['connectionId', 'model'],
  },
  {
    name: 'raw_records',
    columns: `
      ownerId ID NOT NULL
      applicationId ID NOT NULL
      connectionId ID NOT NULL
      provider ID NOT NULL
      schemaName ID NOT NULL
      extractedAt INSTANT NOT NULL
      data JSON NOT NULL`,
    primaryKey: ['ownerId'],
  },
  {
    name: 'groups',
    columns: `${SOURCED}
      name TEXT NULL
      description TEXT NULL
      parentId ID NULL
      createdAt INSTANT NULL
      updatedAt INSTANT NULL`,
    ...SOURCED_KEYS,
  },
  {
    name: 'drivers',
    columns: `${SOURCED}
      status ID NOT NULL
      firstName TEXT NULL
      middleName TEXT NULL
      lastName TEXT NULL
      email TEXT NULL
      phone ID NULL
      username TEXT NULL
      licenseState ID NULL
      licenseNumber TEXT NULL
      groupIds JSON NOT NULL
      createdAt INSTANT NULL
      updatedAt INSTANT NULL`,
    ...SOURCED_KEYS,
  },
  {
    name: 'vehicles',
    columns: `${SOURCED}
      status ID NOT NULL
      vin TEXT NULL
      name TEXT NULL
      make TEXT NULL
      model TEXT NULL
      year NUMBER NULL
      groupIds JSON NOT NULL
      licensePlateState ID NULL
      licensePlateNumber TEXT NULL
      fuelType ID NULL
      fuelEfficiency NUMBER NULL
      fuelTankCapacity NUMBER NULL
      createdAt INSTANT NULL
      updatedAt INSTANT NULL`,
    ...SOURCED_KEYS,
  },
  {
    name: 'devices',
    columns: `${SOURCED}
      type ID NOT NULL
      vehicleId ID NULL
      description TEXT NULL
      serialNumber TEXT NULL
      lastConnectedAt INSTANT NULL
      createdAt INSTANT NULL
      updatedAt INSTANT NULL`,
    primaryKey: ['id'],
    indexes: [...SOURCED_KEYS.indexes, ['vehicleId', 'id']],
  },
  {
    name: 'trips',
    columns: `${SOURCED}
      vehicleId ID NOT NULL
      driverId ID NULL
      startedAt INSTANT NOT NULL
      endedAt INSTANT NOT NULL
      startLongitude NUMBER NULL
      startLatitude NUMBER NULL
      endLongitude NUMBER NULL
      endLatitude NUMBER NULL
      distance NUMBER NULL
      duration NUMBER NOT NULL`,
    primaryKey: ['id'],
    indexes: [
      ...SOURCED_KEYS.indexes,
      ['connectionId', 'startedAt', 'id'],
      ['applicationId', 'startedAt', 'id'],
      ['vehicleId', 'startedAt', 'id'],
      ['driverId', 'startedAt', 'id'],
    ],
  },
  {
    name: 'safety_events',
    columns: `${SOURCED}
      type ID NOT NULL
      vehicleId ID NOT NULL
      driverId ID NULL
      startedAt INSTANT NOT NULL
      endedAt INSTANT NULL
      startLongitude NUMBER NULL
      startLatitude NUMBER NULL
      sourceType TEXT NULL
      maximumSpeed NUMBER NULL
      averageSpeed NUMBER NULL
      roadSpeedLimit NUMBER NULL
      gForceForwardBackward NUMBER NULL
      gForceSideToSide NUMBER NULL
      heading NUMBER NULL`,
    primaryKey: ['id'],
    indexes: [
      ...SOURCED_KEYS.indexes,
      ['connectionId', 'startedAt', 'id'],
      ['applicationId', 'startedAt', 'id'],
      ['vehicleId', 'startedAt', 'id'],
      ['driverId', 'startedAt', 'id'],
    ],
  },
  {
    // Clustered by vehicle and time, so that a track is one range of the table.
    name: 'vehicle_locations',
    columns: `
      vehicleId ID NOT NULL
      locatedAt INSTANT NOT NULL
      applicationId ID NOT NULL
      connectionId ID NOT NULL
      provider ID NOT NULL
      driverId ID NULL
      longitude NUMBER NOT NULL
      latitude NUMBER NOT NULL
      addressText TEXT NULL
      heading NUMBER NULL
      speed NUMBER NULL
      modifiedAt INSTANT NOT NULL`,
    primaryKey: ['vehicleId', 'locatedAt'],
  },
  {
    name: 'latest_vehicle_locations',
    columns: `
      vehicleId ID NOT NULL
      applicationId ID NOT NULL
      connectionId ID NOT NULL
      provider ID NOT NULL
      driverId ID NULL
      locatedAt INSTANT NOT NULL
      longitude NUMBER NOT NULL
      latitude NUMBER NOT NULL
      addressText TEXT NULL
      heading NUMBER NULL
      speed NUMBER NULL
      odometer NUMBER NULL
      fuelPrimaryPercentage NUMBER NULL
      fuelSecondaryPercentage NUMBER NULL
      engineState ID NULL
      engineRuntime NUMBER NULL
      modifiedAt INSTANT NOT NULL`,
    primaryKey: ['vehicleId'],
    indexes: [
      ['applicationId', 'connectionId', 'vehicleId'],
      ['connectionId', 'modifiedAt'],
      ['applicationId', 'modifiedAt'],
    ],
  },
  {
    // Latest log position of each application. The row with the empty application id is the lock of the event
    // sequencer.
    name: 'log_heads',
    columns: `
      applicationId ID NOT NULL
      position INSTANT NOT NULL`,
    primaryKey: ['applicationId'],
  },
  {
    // The transaction of a change inserts its events; the event sequencer assigns their log positions later.
    name: 'events',
    columns: `
      sequence SEQUENCE
      id ID NOT NULL
      applicationId ID NOT NULL
      connectionId ID NOT NULL
      type ID NOT NULL
      occurredAt INSTANT NOT NULL
      subjectId ID NULL
      detail JSON NOT NULL
      position INSTANT NULL`,
    unique: [['id'], ['applicationId', 'position']],
    indexes: [
      ['position', 'sequence'],
      ['connectionId', 'position'],
    ],
  },
]

export class FirstLight implements MigrationInterface {
  readonly name = 'FirstLight1700000000001'

  async up(runner: QueryRunner): Promise<void> {
    const dialect: Dialect = runner.connection.options.type === 'mysql' ? 'mysql' : 'sqlite'
    for (const table of tables) for (const sql of createTable(dialect, table)) await runner.query(sql)
    const [lock] = await runner.query("SELECT 1 FROM `log_heads` WHERE `applicationId` = ''")
    if (!lock) await runner.query("INSERT INTO `log_heads` (`applicationId`, `position`) VALUES ('', 0)")
  }

  down(): Promise<void> {
    throw new Error('migrations go forward only')
  }
}
