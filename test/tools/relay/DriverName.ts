export const driver = graphql`
  fragment DriverName_driver on Driver {
    firstName
    lastName
  }
`
