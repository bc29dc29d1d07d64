/** An interface, with the members of each of its types. */
export const vehicle = graphql`
  fragment VehicleFaults_vehicle on Vehicle {
    faultCodeEvents(first: 10) @connection(key: "VehicleFaults_faultCodeEvents") {
      edges {
        node {
          __typename
          code
          observedAt
          ... on J1939FaultCodeEvent {
            j1939 {
              spn
              fmi
            }
          }
        }
      }
    }
  }
`
