import { getNamedType, Kind, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { expect, test } from 'vitest'
import { completeRoute } from '../../../rest-compat/response/record-selection.ts'
import type { Route } from '../../../rest-compat/route.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { limitsOfPage } from '../../../src/subgraphs/schema/page-types.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'

const lists = routes.filter(({ query }) => 'limit' in query.shape)

/** Returns the name of the page type of the list that takes `$first`. */
function pageTypeOf(route: Route): string {
  const found: string[] = []
  const types = new TypeInfo(supergraph.apiSchema)
  const { operation } = completeRoute(route, supergraph.apiSchema)
  visit(
    parse(operation),
    visitWithTypeInfo(types, {
      Argument({ name, value }) {
        if (name.value !== 'first' || value.kind !== Kind.VARIABLE) return
        found.push(String(getNamedType(types.getFieldDef()!.type)))
      },
    }),
  )
  expect(found).toHaveLength(1)
  return found[0]!
}

test.each(lists.map((route) => [route.path, route] as const))(
  'a larger limit of %s becomes the maximum of its list in GraphQL',
  (_, route) => {
    const { maximum } = limitsOfPage(pageTypeOf(route))!
    for (const [given, used] of [
      [maximum + 1, maximum],
      ['99999999999999999999999', maximum],
      [maximum, maximum],
      [1, 1],
    ] as const)
      expect(route.query.shape['limit']!.parse(String(given))).toBe(used)
  },
)

test('there are lists with limits', () => {
  expect(lists.length).toBeGreaterThan(15)
})
