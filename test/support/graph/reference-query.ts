/** Selects every reference from the seeded rows to other rows. */
export const REFERENCES_QUERY = /* GraphQL */ `
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
