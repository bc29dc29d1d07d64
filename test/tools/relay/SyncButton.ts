export const mutation = graphql`
  mutation SyncButtonMutation($input: RequestSyncInput!) {
    requestSync(input: $input) {
      sync {
        id
        status
        progress
      }
    }
  }
`
