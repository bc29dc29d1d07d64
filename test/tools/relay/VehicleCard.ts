/** A fragment that is refetched by id through `node`, with a nested list that is read backwards. */
export const vehicle = graphql`
  fragment VehicleCard_vehicle on Vehicle
  @argumentDefinitions(trips: { type: "Int", defaultValue: 5 }, earlierThan: { type: "String" })
  @refetchable(queryName: "VehicleCardEarlierTripsQuery") {
    name
    latestLocation {
      locatedAt
      address {
        formatted
      }
    }
    trips(last: $trips, before: $earlierThan) @connection(key: "VehicleCard_trips") {
      edges {
        node {
          id
          distance
          ...TripLine_trip
        }
      }
    }
  }
`
