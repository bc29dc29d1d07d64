import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ContextFor } from '../../../src/gateway/context.ts'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import type { Database } from '../../../src/storage/database.ts'
import type { RecordFilter } from '../../../src/subgraphs/tables/filtered-connection.ts'
import type { FilteredKind } from '../../../src/subgraphs/tables/filtered-connection.ts'
import {
  dialects,
  type ApiClient,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
  unknownId,
} from '../../support/factories.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { ask, contextsOver, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import {
  GONE,
  HERE,
  isShown,
  NAMES,
  rosterOf,
  type Rule,
  rules,
} from '../../support/graph/visibility-rules.ts'

const executor = createInProcessExecutor(supergraph)

const kinds: Readonly<Record<FilteredKind, { name: string; one: string; id: 'vehicle' | 'driver' }>> = {
  vehicles: { name: 'name', one: 'vehicle', id: 'vehicle' },
  drivers: { name: 'firstName', one: 'driver', id: 'driver' },
}

interface RecordView {
  readonly id: string
  readonly name: string
  readonly metadata: { readonly visibility: string }
}

interface RecordPage {
  readonly nodes: readonly RecordView[]
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
  let seeded: SeededApplication

  beforeAll(async () => {
    db = await temporaryDatabase(dialect)
    contextFor = contextsOver(db)
    seeded = await seedApplication(db, [rosterOf, rosterOf])
  })
  afterAll(() => db[Symbol.asyncDispose]())
  beforeEach(() => filter('vehicles', null))

  async function execute(client: ApiClient, text: string, variables = {}): Promise<Record<string, unknown>> {
    const answer = await ask(executor, contextFor, { client, document: documentOf(text), variables })
    expect(answer.errors).toBeUndefined()
    return answer.data as Record<string, unknown>
  }

  const idOf = (kind: FilteredKind, name: string): string =>
    seeded.connections[0]![kind][NAMES.indexOf(name)]?.id ?? unknownId(kinds[kind].id)

  /** Sets a filter of one kind on the first connection, and removes the other. */
  const filter = (kind: FilteredKind, rule: Rule | null): Promise<unknown> =>
    setFilters(db, seeded.connections[0]!, rule && { [kind]: filterOf(kind, rule) })

  const filterOf = (kind: FilteredKind, { status, includes, excludes }: Rule): RecordFilter => ({
    ...(status === undefined ? {} : { status }),
    ...(includes === undefined ? {} : { includeIds: includes && includes.map((name) => idOf(kind, name)) }),
    ...(excludes === undefined ? {} : { excludeIds: excludes && excludes.map((name) => idOf(kind, name)) }),
  })

  /** Reads a list with a connection token, nested in both connections, and with a secret key. */
  async function lists(kind: FilteredKind, args: string) {
    const { name } = kinds[kind]
    const list = `${kind}(first: 50, ${args}) { totalCount nodes { id name: ${name} metadata { visibility } } pageInfo { hasNextPage } }`
    const of = (data: Record<string, unknown>) => data[kind] as RecordPage
    const nested = await execute(seeded.client, `{ connections { nodes { ${list} } } }`)
    const { nodes } = nested['connections'] as { nodes: Record<string, unknown>[] }
    return {
      withToken: of(await execute(seeded.narrowed(0), `{ ${list} }`)),
      ofConnection: of(nodes[0]!),
      ofOther: of(nodes[1]!),
      ofAll: of(await execute(seeded.client, `{ ${list} }`)),
    }
  }

  const namesIn = ({ nodes }: RecordPage) => nodes.map(({ name }) => name)

  describe.each(['vehicles', 'drivers'] as const)('%s', (kind) => {
    describe.each(Object.entries(rules))('by %s', (_, rule) => {
      beforeEach(() => filter(kind, rule))
      const hidden = Object.keys(rule.hides)

      test.each([
        ['deleted: false', false, false],
        ['hidden: true', true, false],
        ['deleted: true', false, true],
        ['hidden: true, deleted: true', true, true],
      ])('have the expected records with %s', async (args, withHidden, withDeleted) => {
        const expectedNames = (names: readonly string[]) =>
          NAMES.filter((name) => (HERE.includes(name) ? names.includes(name) : withDeleted))
        const shown = expectedNames(withHidden ? HERE : HERE.filter((name) => !hidden.includes(name)))
        const { withToken, ofConnection, ofOther, ofAll } = await lists(kind, args)
        expect(namesIn(withToken)).toEqual(shown)
        expect(ofConnection).toEqual(withToken)
        expect(namesIn(ofOther)).toEqual(expectedNames(HERE))
        expect(namesIn(ofAll)).toEqual([...shown, ...expectedNames(HERE)])
        for (const page of [withToken, ofConnection, ofOther, ofAll])
          expect(page.totalCount).toBe(page.nodes.length)
      })

      test('have the visibility of each record, in lists, look-ups and references', async () => {
        const reason = (name: string) => (GONE.includes(name) ? 'DELETED' : (rule.hides[name] ?? 'VISIBLE'))
        const { withToken, ofAll } = await lists(kind, 'hidden: true, deleted: true')
        const visibilities = ({ nodes }: RecordPage) => nodes.map(({ metadata }) => metadata.visibility)
        expect(visibilities(withToken)).toEqual(NAMES.map(reason))
        expect(visibilities(ofAll)).toEqual([
          ...NAMES.map(reason),
          ...NAMES.map((name) => (GONE.includes(name) ? 'DELETED' : 'VISIBLE')),
        ])
        const { one } = kinds[kind]
        const selection = '{ metadata { visibility } }'
        for (const client of [seeded.client, seeded.narrowed(0)])
          for (const [at, name] of NAMES.entries()) {
            const data = await execute(
              client,
              `query ($id: ID!, $trip: ID!) { ${one}(id: $id) ${selection} trip(id: $trip) { ${one} ${selection} } }`,
              { id: idOf(kind, name), trip: seeded.connections[0]!.trips[at]!.id },
            )
            const expected = { metadata: { visibility: reason(name) } }
            const isTripHidden = kind === 'vehicles' && !isShown(rule, name)
            const isDriverHidden = kind === 'drivers' && !isShown(rule, name)
            const trip = { [one]: isDriverHidden ? null : expected }
            expect(data).toEqual({ [one]: expected, trip: isTripHidden ? null : trip })
          }
      })

      test.each([1, 2, 3])('are paged forward and backward by %i', async (size) => {
        for (const args of ['hidden: false', 'deleted: true', 'hidden: true']) {
          const { withToken, ofAll } = await lists(kind, args)
          for (const [client, whole] of [
            [seeded.narrowed(0), withToken],
            [seeded.client, ofAll],
          ] as const) {
            const ids = whole.nodes.map(({ id }) => id)
            expect(await readIds(client, kind, args, ['first', 'after'], size)).toEqual(ids)
            expect(await readIds(client, kind, args, ['last', 'before'], size)).toEqual(ids)
          }
        }
      })
    })

    test('reflect changed filters at once, also between two pages', async () => {
      const client = seeded.narrowed(0)
      await filter(kind, rules['a status']!)
      const first = await pageOf(client, kind, 'hidden: false', 'first: 2')
      expect(first.nodes.map(({ id }) => id)).toEqual([idOf(kind, 'active 1'), idOf(kind, 'active 2')])
      await filter(kind, rules['ids that are excluded']!)
      const after = first.pageInfo.endCursor
      const next = await pageOf(client, kind, 'hidden: false', `first: 2, after: "${after}"`)
      expect(next.nodes.map(({ id }) => id)).toEqual([idOf(kind, 'active 3')])
      await filter(kind, null)
      expect(namesIn((await lists(kind, 'hidden: false')).withToken)).toEqual(HERE)
    })

    test('are filtered by modification time too', async () => {
      await filter(kind, rules['a status']!)
      const { withToken, ofAll } = await lists(kind, 'modifiedAfter: "2026-01-31T12:00:00Z"')
      expect(namesIn(withToken)).toEqual(['active 1', 'active 2', 'active 3'])
      expect(namesIn(ofAll)).toEqual(['active 1', 'active 2', 'active 3', ...HERE])
      expect((await lists(kind, 'modifiedBefore: "2026-01-31T12:00:00Z"')).withToken.totalCount).toBe(0)
    })

    test('ignore the filter of the other kind', async () => {
      const other = kind === 'vehicles' ? 'drivers' : 'vehicles'
      await filter(other, rules['an included unknown id']!)
      expect(namesIn((await lists(kind, 'hidden: false')).withToken)).toEqual(HERE)
    })
  })

  async function pageOf(
    client: ApiClient,
    kind: FilteredKind,
    args: string,
    pageArgs: string,
  ): Promise<RecordPage> {
    const { name } = kinds[kind]
    const data = await execute(
      client,
      `{ ${kind}(${args}, ${pageArgs}) { totalCount nodes { id name: ${name} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
    )
    return data[kind] as RecordPage
  }

  /** Reads all ids of a list page by page, in order. */
  async function readIds(
    client: ApiClient,
    kind: FilteredKind,
    args: string,
    [count, from]: readonly [string, string],
    size: number,
  ): Promise<string[]> {
    const ids: string[] = []
    for (let cursor: string | null = null; ;) {
      const pageArgs = `${count}: ${size}${cursor === null ? '' : `, ${from}: "${cursor}"`}`
      const { nodes, pageInfo } = await pageOf(client, kind, args, pageArgs)
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
