/** A list that loads more on scrolling: a page of vehicles under Relay's @connection. */
export const query = graphql`
  query FleetListQuery($count: Int!, $cursor: String, $deleted: Boolean!) {
    ...FleetList_fleet @arguments(count: $count, cursor: $cursor, deleted: $deleted)
  }
`

export const fleet = graphql`
  fragment FleetList_fleet on Query
  @argumentDefinitions(count: { type: "Int!" }, cursor: { type: "String" }, deleted: { type: "Boolean!" })
  @refetchable(queryName: "FleetListNextQuery") {
    vehicles(first: $count, after: $cursor, deleted: $deleted)
      @connection(key: "FleetList_vehicles", filters: ["deleted"]) {
      totalCount
      edges {
        node {
          id
          ...VehicleCard_vehicle
        }
      }
    }
  }
`
