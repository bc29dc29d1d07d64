import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { completeRoute } from '../../../rest-compat/response/record-selection.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { compose } from '../../../src/gateway/compose.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'

const { apiSchema } = compose(subgraphs)

test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'the operation of %s is valid against the schema',
  (_, route) => {
    expect(
      validate(apiSchema, parse(completeRoute(route, apiSchema).operation)).map(({ message }) => message),
    ).toEqual([])
  },
)
