export const trip = graphql`
  fragment TripLine_trip on Trip {
    startedAt
    endedAt
    driver {
      ...DriverName_driver
    }
    vehicle {
      ...VehicleFaults_vehicle
    }
  }
`
