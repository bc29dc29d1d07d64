import { type DocumentNode, Kind, parse, specifiedRules, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { completeRoute } from '../../../rest-compat/response/record-selection.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { compose } from '../../../src/gateway/compose.ts'
import { costErrorOf, DEFAULT_COST_LIMITS } from '../../../src/gateway/cost/cost-limits.ts'
import { createCostEstimate } from '../../../src/gateway/cost/operation-cost.ts'
import { Operation, soleOperation } from '../../../src/gateway/operation.ts'
import { subgraphs } from '../../../src/gateway/subgraphs.ts'
import { codeBlocks } from '../../support/documentation.ts'

const { apiSchema } = compose(subgraphs)
const estimate = createCostEstimate(apiSchema)

function parsed(text: string): DocumentNode | null {
  try {
    const document = parse(text)
    const isExecutable = document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)
    return isExecutable && validate(apiSchema, document, specifiedRules).length === 0 ? document : null
  } catch {
    return null
  }
}

/** Operations in the requests that a page shows for a terminal. */
const requested = ['sh', 'bash', 'js', 'ts', 'javascript', 'typescript'].flatMap((language) =>
  codeBlocks(language).flatMap(([page, text]) =>
    [...text.matchAll(/"query": ?"((?:[^"\\]|\\.)*)"|`((?:query|mutation|subscription)\b[^`]*)`/g)].map(
      ([, json, template]) => [page, template ?? (JSON.parse(`"${json}"`) as string)] as const,
    ),
  ),
)

const documented = [...codeBlocks('graphql'), ...requested].flatMap(([page, text]) => {
  const document = parsed(text)
  return document ? [[page, text.trim().split('\n', 1)[0] ?? '', document] as const] : []
})

describe('an operation of the documentation is within the default limits', () => {
  test('the pages contain operations', () => {
    expect(documented.length).toBeGreaterThanOrEqual(10)
  })

  test.each(documented)('%s: %s', (_page, _text, document) => {
    for (const operation of Operation.allIn(document)) {
      const limit =
        operation.type === 'subscription' ? DEFAULT_COST_LIMITS.event : DEFAULT_COST_LIMITS.operation
      expect(costErrorOf(estimate({ operation }), limit)).toBeNull()
    }
  })
})

describe('an operation of REST is within the default limits, with the longest page and everything expanded', () => {
  test.each(routes.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    (_name, route) => {
      const { operation: text } = completeRoute(route, apiSchema)
      const flags = [...text.matchAll(/\$(\w+): Boolean!/g)].map(([, name]) => [name, true] as const)
      const variables = { ...Object.fromEntries(flags), first: 1000 }
      const cost = estimate({ operation: soleOperation(text), variables })
      expect(costErrorOf(cost, DEFAULT_COST_LIMITS.operation)?.message).toBeUndefined()
    },
  )
})
