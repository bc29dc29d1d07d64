import graphql from '@graphql-eslint/eslint-plugin'

const API = 'schema/api.graphql'
// Written by relay-names.mjs.
const RELAY_NAMES = 'dist/tools/api-in-relay-names.graphql'

const { 'flat/schema-recommended': schema, 'flat/schema-relay': relay } = graphql.configs
const operations = graphql.configs['flat/operations-recommended']

const OPERATIONS = 'test/tools/operations/*.graphql'

// The parser keeps the first of these that it sees, so there is one.
const graphQLConfig = {
  projects: { api: { schema: API, documents: OPERATIONS }, relay: { schema: RELAY_NAMES } },
}

const read = (files) => ({
  files: [files],
  languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig } },
  plugins: { '@graphql-eslint': graphql },
})

// oxlint-disable-next-line import/no-default-export -- ESLint reads it so
export default [
  {
    ...read(API),
    rules: {
      ...schema.rules,
      '@graphql-eslint/require-description': [
        'error',
        {
          types: true,
          rootField: true,
          FieldDefinition: true,
          EnumValueDefinition: true,
          InputValueDefinition: true,
          DirectiveDefinition: true,
          // Their names are GraphQL's own.
          ignoredSelectors: ['[type=ObjectTypeDefinition][name.value=/^(Query|Mutation|Subscription)$/]'],
        },
      ],
      '@graphql-eslint/input-name': ['error', { checkInputType: true, caseSensitiveInputType: false }],
      '@graphql-eslint/no-scalar-result-type-on-mutation': 'error',
      // Records have ids. Parts of records, pages and points of a series have none.
      '@graphql-eslint/strict-id-in-types': 'off',
      // Fields are called what the REST interface calls them, agreementUrl of an agreement among them.
      '@graphql-eslint/no-typename-prefix': 'off',
    },
  },
  {
    ...read(RELAY_NAMES),
    rules: {
      ...relay.rules,
      // The event log is read forward only, which Relay allows.
      '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
      '@graphql-eslint/relay-edge-types': [
        'error',
        {
          withEdgeSuffix: true,
          // Points of a series and events are found by their place, not by an id.
          shouldImplementNode: false,
          // A vehicle's groups and devices are few, and lists.
          listTypeCanWrapOnlyEdgeType: false,
        },
      ],
    },
  },
  {
    ...read(OPERATIONS),
    rules: operations.rules,
  },
]
