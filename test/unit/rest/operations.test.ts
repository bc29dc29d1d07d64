import { parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { routes } from '../../../rest-compat/routes.ts'
import { compose } from '../../../src/gateway/compose.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'

const { apiSchema } = compose(subgraphs)

test.each(routes.map((route) => [`${route.method} ${route.path}`, route.operation]))(
  'the operation of %s is valid against the schema',
  (_, operation) => {
    expect(validate(apiSchema, parse(operation)).map(({ message }) => message)).toEqual([])
  },
)
