export const subscription = graphql`
  subscription LiveMapSubscription($vehicleIds: [ID!]) {
    vehicleLocations(vehicleIds: $vehicleIds) {
      vehicle {
        id
      }
      locatedAt
      location {
        longitude
        latitude
      }
    }
  }
`
