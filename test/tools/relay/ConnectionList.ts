/** A list to which a mutation prepends a new record without a refetch. */
export const fleets = graphql`
  fragment ConnectionList_fleets on Query
  @argumentDefinitions(count: { type: "Int", defaultValue: 25 }, cursor: { type: "String" })
  @refetchable(queryName: "ConnectionListNextQuery") {
    connections(first: $count, after: $cursor) @connection(key: "ConnectionList_connections", filters: []) {
      edges {
        node {
          id
          status
        }
      }
    }
  }
`

export const mutation = graphql`
  mutation ConnectionListLinkMutation($input: CreateConnectionInput!, $lists: [ID!]!) {
    createConnection(input: $input) {
      connection @prependNode(connections: $lists, edgeTypeName: "ConnectionEdge") {
        id
        status
      }
    }
  }
`
