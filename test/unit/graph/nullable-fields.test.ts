import { getNamedType, isNonNullType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { compose } from '../../../src/gateway/compose.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'

const { apiSchema } = compose(subgraphs)

/** An error makes the nearest nullable field null. Without one, a list that fails makes the whole answer null. */
test('a list that fails leaves the rest of the answer', () => {
  const query = apiSchema.getQueryType()!
  const required = Object.values(apiSchema.getTypeMap())
    .filter(isObjectType)
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type))
        .filter(
          (field) =>
            type === query || field.name === 'totalCount' || getNamedType(field.type).name.endsWith('Page'),
        )
        .map((field) => `${type.name}.${field.name}`),
    )
  expect(required).toEqual([])
})

test('a subgraph that is down leaves the entities of the others', () => {
  const required = subgraphs.flatMap(({ name, schema, owned }) =>
    Object.values(schema.getTypeMap())
      .filter(isObjectType)
      .filter((type) => type.getInterfaces().some((one) => one.name === 'Node') && !(type.name in owned))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter((field) => field.name !== 'id' && isNonNullType(field.type))
          .map((field) => `${name}: ${type.name}.${field.name}`),
      ),
  )
  expect(required).toEqual([])
})
