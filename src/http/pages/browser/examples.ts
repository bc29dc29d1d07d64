export const headers = `{
  "Authorization": "Bearer ",
  "Connection-Token": ""
}
`

export const exampleOperations = `# Enter your secret key under Headers below. Add the
# connection token of a fleet to read only that fleet.
# Then press the run button, or Ctrl-Enter to run the
# operation at the cursor.

query Fleet {
  vehicles(first: 5) {
    nodes {
      name
      groups {
        name
      }
      latestLocation {
        locatedAt
        speed
        address {
          formatted
        }
        driver {
          firstName
          lastName
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}

subscription Positions {
  vehicleLocations {
    vehicle {
      name
    }
    locatedAt
    speed
    location {
      longitude
      latitude
    }
  }
}
`
