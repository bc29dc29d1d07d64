import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { RecordFilter } from '../../../src/subgraphs/tables/filtered-connection.ts'
import type { FilteredKind } from '../../../src/subgraphs/tables/filtered-connection.ts'
import {
  dialects,
  type Party,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
} from '../../support/factories.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { GONE, HERE, NAMES, rosterOf, type Rule, rules } from '../../support/graph/visibility-rules.ts'

const engine = createInProcessExecutor(supergraph)

const kinds: Readonly<Record<FilteredKind, { name: string; one: string; id: 'vehicle' | 'driver' }>> = {
  vehicles: { name: 'name', one: 'vehicle', id: 'vehicle' },
  drivers: { name: 'firstName', one: 'driver', id: 'driver' },
}

interface Seen {
  readonly id: string
  readonly name: string
  readonly metadata: { readonly visibility: string }
}

interface SeenPage {
  readonly nodes: readonly Seen[]
  readonly totalCount: number
  readonly pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string
    endCursor: string
  }
}

describe.each(dialects)('on %s', (dialect) => {
  let db: Database & AsyncDisposable
  let contextFor: ContextFor
  let planted: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    planted = await seedApplication(db, [rosterOf, rosterOf])
  })
  afterAll(() => db[Symbol.asyncDispose]())
  beforeEach(() => filter('vehicles', null))

  async function answerTo(party: Party, text: string, variables = {}): Promise<Record<string, unknown>> {
    const answer = await ask(engine, contextFor, { party, document: documentOf(text), variables })
    expect(answer.errors).toBeUndefined()
    return answer.data as Record<string, unknown>
  }

  const idOf = (kind: FilteredKind, name: string): string =>
    planted.connections[0]![kind][NAMES.indexOf(name)]?.id ?? unknownId(kinds[kind].id)

  /** Gives the first connection a filter of one kind, and none of the other. */
  const filter = (kind: FilteredKind, rule: Rule | null): Promise<unknown> =>
    setFilters(db, planted.connections[0]!, rule && { [kind]: filterOf(kind, rule) })

  const filterOf = (kind: FilteredKind, { status, includes, excludes }: Rule): RecordFilter => ({
    ...(status === undefined ? {} : { status }),
    ...(includes === undefined ? {} : { includeIds: includes && includes.map((name) => idOf(kind, name)) }),
    ...(excludes === undefined ? {} : { excludeIds: excludes && excludes.map((name) => idOf(kind, name)) }),
  })

  /** A list in each of the places where callers find it, with what it shows of the second connection besides. */
  async function lists(kind: FilteredKind, args: string) {
    const { name } = kinds[kind]
    const list = `${kind}(first: 50, ${args}) { totalCount nodes { id name: ${name} metadata { visibility } } pageInfo { hasNextPage } }`
    const of = (data: Record<string, unknown>) => data[kind] as SeenPage
    const nested = await answerTo(planted.party, `{ connections { nodes { ${list} } } }`)
    const { nodes } = nested['connections'] as { nodes: Record<string, unknown>[] }
    return {
      alone: of(await answerTo(planted.narrowed(0), `{ ${list} }`)),
      ofConnection: of(nodes[0]!),
      ofOther: of(nodes[1]!),
      ofAll: of(await answerTo(planted.party, `{ ${list} }`)),
    }
  }

  const namesIn = ({ nodes }: SeenPage) => nodes.map(({ name }) => name)

  describe.each(['vehicles', 'drivers'] as const)('%s', (kind) => {
    describe.each(Object.entries(rules))('by %s', (_, rule) => {
      beforeEach(() => filter(kind, rule))
      const hidden = Object.keys(rule.hides)

      test.each([
        ['deleted: false', false, false],
        ['hidden: true', true, false],
        ['deleted: true', false, true],
        ['hidden: true, deleted: true', true, true],
      ])('are those that are shown, with %s', async (args, withHidden, withGone) => {
        const wanted = (names: readonly string[]) =>
          NAMES.filter((name) => (HERE.includes(name) ? names.includes(name) : withGone))
        const shown = wanted(withHidden ? HERE : HERE.filter((name) => !hidden.includes(name)))
        const { alone, ofConnection, ofOther, ofAll } = await lists(kind, args)
        expect(namesIn(alone)).toEqual(shown)
        expect(ofConnection).toEqual(alone)
        expect(namesIn(ofOther)).toEqual(wanted(HERE))
        expect(namesIn(ofAll)).toEqual([...shown, ...wanted(HERE)])
        for (const page of [alone, ofConnection, ofOther, ofAll])
          expect(page.totalCount).toBe(page.nodes.length)
      })

      test('say of each record why lists do not show it, in lists, look-ups and mentions', async () => {
        const reason = (name: string) => (GONE.includes(name) ? 'DELETED' : (rule.hides[name] ?? 'VISIBLE'))
        const { alone, ofAll } = await lists(kind, 'hidden: true, deleted: true')
        const told = ({ nodes }: SeenPage) => nodes.map(({ metadata }) => metadata.visibility)
        expect(told(alone)).toEqual(NAMES.map(reason))
        expect(told(ofAll)).toEqual([
          ...NAMES.map(reason),
          ...NAMES.map((name) => (GONE.includes(name) ? 'DELETED' : 'VISIBLE')),
        ])
        const { one } = kinds[kind]
        const seen = '{ metadata { visibility } }'
        for (const party of [planted.party, planted.narrowed(0)])
          for (const [at, name] of NAMES.entries()) {
            const data = await answerTo(
              party,
              `query ($id: ID!, $trip: ID!) { ${one}(id: $id) ${seen} trip(id: $trip) { ${one} ${seen} } }`,
              { id: idOf(kind, name), trip: planted.connections[0]!.trips[at]!.id },
            )
            const expected = { metadata: { visibility: reason(name) } }
            expect(data).toEqual({ [one]: expected, trip: { [one]: expected } })
          }
      })

      test.each([1, 2, 3])('are paged through forward and backward by %i', async (size) => {
        for (const args of ['hidden: false', 'deleted: true', 'hidden: true']) {
          const { alone, ofAll } = await lists(kind, args)
          for (const [party, whole] of [
            [planted.narrowed(0), alone],
            [planted.party, ofAll],
          ] as const) {
            const ids = whole.nodes.map(({ id }) => id)
            expect(await walked(party, kind, args, ['first', 'after'], size)).toEqual(ids)
            expect(await walked(party, kind, args, ['last', 'before'], size)).toEqual(ids)
          }
        }
      })
    })

    test('follow a change of the filters at once, also a reader that is in the middle', async () => {
      const party = planted.narrowed(0)
      await filter(kind, rules['a status']!)
      const first = await pageOf(party, kind, 'hidden: false', 'first: 2')
      expect(first.nodes.map(({ id }) => id)).toEqual([idOf(kind, 'active 1'), idOf(kind, 'active 2')])
      await filter(kind, rules['ids that are excluded']!)
      const after = first.pageInfo.endCursor
      const next = await pageOf(party, kind, 'hidden: false', `first: 2, after: "${after}"`)
      expect(next.nodes.map(({ id }) => id)).toEqual([idOf(kind, 'active 3')])
      await filter(kind, null)
      expect(namesIn((await lists(kind, 'hidden: false')).alone)).toEqual(HERE)
    })

    test('are filtered by time of change too', async () => {
      await filter(kind, rules['a status']!)
      const { alone, ofAll } = await lists(kind, 'modifiedAfter: "2026-01-31T12:00:00Z"')
      expect(namesIn(alone)).toEqual(['active 1', 'active 2', 'active 3'])
      expect(namesIn(ofAll)).toEqual(['active 1', 'active 2', 'active 3', ...HERE])
      expect((await lists(kind, 'modifiedBefore: "2026-01-31T12:00:00Z"')).alone.totalCount).toBe(0)
    })

    test('are not filtered by the filter of the other kind', async () => {
      const other = kind === 'vehicles' ? 'drivers' : 'vehicles'
      await filter(other, rules['an included unknown id']!)
      expect(namesIn((await lists(kind, 'hidden: false')).alone)).toEqual(HERE)
    })
  })

  async function pageOf(party: Party, kind: FilteredKind, args: string, cut: string): Promise<SeenPage> {
    const { name } = kinds[kind]
    const data = await answerTo(
      party,
      `{ ${kind}(${args}, ${cut}) { totalCount nodes { id name: ${name} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    )
    return data[kind] as SeenPage
  }

  /** Every id of a list in its order, read page by page. */
  async function walked(
    party: Party,
    kind: FilteredKind,
    args: string,
    [count, from]: readonly [string, string],
    size: number,
  ): Promise<string[]> {
    const ids: string[] = []
    for (let cursor: string | null = null; ;) {
      const cut = `${count}: ${size}${cursor === null ? '' : `, ${from}: "${cursor}"`}`
      const { nodes, pageInfo } = await pageOf(party, kind, args, cut)
      const forward = count === 'first'
      const page = nodes.map(({ id }) => id)
      if (forward) ids.push(...page)
      else ids.unshift(...page)
      if (!(forward ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return ids
      expect(page.length).toBe(size)
      cursor = forward ? pageInfo.endCursor : pageInfo.startCursor
    }
  }
})
