import { check, type Check, equals, holds } from '../check.ts'
import { ownOf, patch } from '../own-connection.ts'
import { type JsonObject, rowOf, some, type Subject, textAt, responseText, valueAt } from '../subject.ts'

/** Part g3.2: PATCH of the suite's own connection. */

const idOf = (row: JsonObject): string => textAt(row, 'id')

/** Changes one member, checks it in both responses, and restores it. */
const changes = (statement: string, member: string, value: unknown) =>
  check(statement, async (subject) => {
    const { subject: own } = await ownOf(subject)
    const before = (await own.ok('/connections/current'))[member]
    const answer = await patch(own, { [member]: value })
    holds(answer.status === 200, responseText(answer))
    equals(rowOf(answer)[member], value, `${member} in the answer`)
    equals((await own.ok('/connections/current'))[member], value, `${member} afterwards`)
    if (before !== undefined) await patch(own, { [member]: before })
  })

export const changeChecks: readonly Check[] = [
  changes('g3.2-patch-tags', 'tags', ['only this']),
  changes('g3.2-patch-external-id', 'externalId', 'changed'),
  changes('g3.2-patch-company', 'company', { name: 'Changed', dotNumbers: ['1', '2'] }),
  changes('g3.2-patch-sync-mode', 'syncMode', 'manual'),
  check('g3.2-patch-answers-connection', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const answer = rowOf(await patch(own, { tags: ['conformance'] }))
    for (const name of [
      'id',
      'token',
      'status',
      'company',
      'account',
      'provider',
      'syncMode',
      'linkUrl',
      'createdAt',
    ])
      holds(name in answer, `${name} is missing`)
  }),
  check('g3.2-patch-filters', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const [one, other] = some(await own.allNow('/vehicles'), 'vehicle')
    await filtered(own, { vehicles: { excludeIds: [idOf(one)] } }, async (shown, all) => {
      equals(shown.includes(idOf(one)), false, 'whether an excluded vehicle is listed')
      equals(
        valueAt(all.get(idOf(one)) ?? {}, 'metadata.visibility'),
        'hidden_by_exclude_list',
        'its visibility',
      )
      holds(other === undefined || shown.includes(idOf(other)), 'another vehicle is missing too')
    })
  }),
  check('g3.2-filters-include-decides', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const [one] = some(await own.allNow('/vehicles'), 'vehicle')
    const filters = { status: 'inactive', excludeIds: [idOf(one)], includeIds: [idOf(one)] }
    await filtered(own, { vehicles: filters }, async (shown, all) => {
      equals(shown, [idOf(one)], 'the vehicles that are listed')
      for (const [id, row] of all)
        if (id !== idOf(one)) equals(valueAt(row, 'metadata.visibility'), 'hidden_by_include_list', id)
    })
  }),
  check('g3.2-filters-status-then-exclude', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const [one] = some(await own.allNow('/vehicles'), 'vehicle')
    await filtered(own, { vehicles: { status: 'inactive', excludeIds: [idOf(one)] } }, async (shown, all) => {
      for (const row of all.values()) {
        const active = row['status'] === 'active'
        equals(
          shown.includes(idOf(row)),
          !active && idOf(row) !== idOf(one),
          `whether ${idOf(row)} is listed`,
        )
        if (active) equals(valueAt(row, 'metadata.visibility'), 'hidden_by_status', idOf(row))
      }
    })
  }),
]

/** Sets filters and calls `look` with the visible and all records. Then sets filters that hide no vehicle. */
async function filtered(
  own: Subject,
  filters: JsonObject,
  look: (shown: readonly string[], all: ReadonlyMap<string, JsonObject>) => Promise<void>,
): Promise<void> {
  const answer = await patch(own, { filters })
  holds(answer.status === 200, responseText(answer))
  try {
    const shown = (await own.allNow('/vehicles')).map(idOf)
    const all = await own.allNow('/vehicles?hidden=true')
    await look(shown, new Map(all.map((row) => [idOf(row), row])))
  } finally {
    await patch(own, { filters: { vehicles: {}, drivers: { status: 'active' } } })
  }
}
