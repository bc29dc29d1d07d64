export const headers = `{
  "Authorization": "Bearer ",
  "Connection-Token": ""
}
`

export const operations = `# Put your keys into Headers below: the secret key, and
# the connection token of a fleet; without it, all fleets
# are read. Then press the button, or Ctrl-Enter to run
# the operation that the cursor is in.

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
