import type { Database } from '../../src/storage/database.ts'
import { LogEntry } from '../../src/storage/outbox.ts'
import { tableOf } from '../../src/storage/table.ts'
import { SyncIssue } from '../../src/subgraphs/connections/issue.ts'
import { Sync } from '../../src/subgraphs/connections/sync.ts'
import { Device } from '../../src/subgraphs/fleet/device.ts'
import { Trailer } from '../../src/subgraphs/fleet/trailer.ts'
import { Vehicle } from '../../src/subgraphs/fleet/vehicle.ts'
import { FaultCodeEvent } from '../../src/subgraphs/records/fault-code-event.ts'
import { HosDailyLog } from '../../src/subgraphs/records/hos-daily-log.ts'
import { HosLog } from '../../src/subgraphs/records/hos-log.ts'
import { Trip } from '../../src/subgraphs/records/trip.ts'
import { LatestVehicleLocation } from '../../src/subgraphs/telemetry/location.ts'
import {
  deviceRow,
  eventRow,
  latestLocationRow,
  type PlantedConnection,
  syncRow,
  tripRow,
  vehicleRow,
} from '../factories.ts'
import { faultCodeRow, hosDailyLogRow, hosLogRow, syncIssueRow, trailerRow } from '../record-rows.ts'
import type { Theirs } from './attempts.ts'

let position = 1_000_000
const nextPosition = () => (position += 10)

/** Stores rows of one connection whose columns hold the ids of another's, and tells what `MENTIONS` asks for. */
export async function plantMentions(db: Database, { connection }: PlantedConnection, ids: Theirs['ids']) {
  const owner = { applicationId: connection.applicationId, connectionId: connection.id }
  const trip = tripRow(owner, { vehicleId: ids.vehicle, driverId: ids.driver, startedAt: 0 })
  const vehicle = vehicleRow(owner, { groupIds: [ids.group] })
  const device = deviceRow(owner, { vehicleId: ids.vehicle })
  const trailer = trailerRow(owner, { groupIds: [ids.group] })
  const sync = syncRow(owner)
  const hosLog = hosLogRow(owner, {
    driverId: ids.driver,
    vehicleId: ids.vehicle,
    codriverIds: [ids.driver],
  })
  const day = hosDailyLogRow(owner, { driverId: ids.driver })
  const fault = faultCodeRow(owner, { vehicleId: ids.vehicle })
  const subjects = [ids.vehicle, ids.connection, ids.sync, ids.trip, ids.group, ids.trailer, ids.hosLog]
  const events = subjects.map((subjectId, at) =>
    eventRow(owner, { subjectId, position: nextPosition() + at, type: 'odd' }),
  )
  const latest = latestLocationRow(owner, { vehicleId: vehicle.id, driverId: ids.driver })
  await db.transaction(async (tx) => {
    await tx.insert(tableOf(Trip), [trip])
    await tx.insert(tableOf(Vehicle), [vehicle])
    await tx.insert(tableOf(Device), [device])
    await tx.insert(tableOf(Trailer), [trailer])
    await tx.insert(tableOf(HosLog), [hosLog])
    await tx.insert(tableOf(HosDailyLog), [day])
    await tx.insert(tableOf(FaultCodeEvent), [fault])
    await tx.insert(tableOf(Sync), [sync])
    await tx.insert(tableOf(SyncIssue), [syncIssueRow(owner, sync.id, ids.issue)])
    await tx.insert(tableOf(LatestVehicleLocation), [latest])
    await tx.insert(tableOf(LogEntry), events)
  })
  const asked = { trip, vehicle, device, trailer, sync, hosLog, day, fault }
  const named = Object.entries(asked).map(([name, { id }]) => [name, id] as const)
  return { ...Object.fromEntries(named), after: events[0]!.id }
}

/** Everything that leads from the planted rows to the rows that they mention. */
export const MENTIONS = /* GraphQL */ `
  fragment V on Vehicle {
    id
    latestLocation {
      speed
      raw {
        data
      }
    }
    locations {
      totalCount
      nodes {
        id
      }
    }
    stats {
      totalCount
    }
    trips {
      nodes {
        sourceId
        distance
      }
    }
    safetyEvents {
      nodes {
        id
      }
    }
    faultCodeEvents {
      nodes {
        code
      }
    }
  }

  fragment D on Driver {
    id
    trips {
      nodes {
        distance
      }
    }
    safetyEvents {
      nodes {
        id
      }
    }
    hosLogs {
      nodes {
        status
      }
    }
    hosDailyLogs {
      nodes {
        date
      }
    }
    hosAvailableTime {
      currentStatus
      raw {
        data
      }
    }
  }

  query (
    $trip: ID!
    $vehicle: ID!
    $device: ID!
    $trailer: ID!
    $sync: ID!
    $hosLog: ID!
    $day: ID!
    $fault: ID!
    $after: ID!
  ) {
    trip(id: $trip) {
      vehicle {
        name
        status
      }
      driver {
        firstName
      }
      v: vehicle {
        ...V
      }
      d: driver {
        ...D
      }
      path {
        totalCount
        nodes {
          speed
        }
      }
    }
    vehicle(id: $vehicle) {
      groups {
        name
      }
      latestLocation {
        driver {
          lastName
        }
      }
    }
    trailer(id: $trailer) {
      groups {
        name
      }
    }
    hosLog(id: $hosLog) {
      driver {
        firstName
      }
      vehicle {
        vin
        metadata {
          visibility
        }
      }
      codrivers {
        lastName
        hosLogs {
          totalCount
        }
      }
      mentioned: codrivers {
        ...D
      }
    }
    hosDailyLog(id: $day) {
      driver {
        email
      }
    }
    faultCodeEvent(id: $fault) {
      vehicle {
        name
      }
      v: vehicle {
        ...V
      }
    }
    sync(id: $sync) {
      issues {
        error {
          message
        }
      }
    }
    node(id: $device) {
      ... on Device {
        vehicle {
          vin
        }
        seen: vehicle {
          latestLocation {
            speed
          }
        }
      }
    }
    events(after: $after) {
      nodes {
        subject {
          ... on Vehicle {
            name
          }
          ... on Connection {
            token
          }
          ... on Sync {
            progress
          }
          ... on Trip {
            distance
          }
          ... on Group {
            sourceId
          }
          ... on Trailer {
            serialNumber
          }
          ... on HosLog {
            startedAt
          }
        }
      }
    }
  }
`
