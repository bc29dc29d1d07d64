import { check, type Check, equals, fail, holds, NotApplicable, shortened } from '../check.ts'
import { kebab } from '../outline/part.ts'
import { kindOf, kinds, listed, type RecordKind } from '../records/kinds.ts'
import { statValues } from '../records/other-models.ts'
import { modelNames, readSupport } from '../records/provider.ts'
import * as is from '../shapes.ts'
import { type Member, problemOf } from '../shapes.ts'
import { isJsonObject, type JsonObject, some, type Subject, textAt, valueAt } from '../subject.ts'

/** Parts 2 and g1: members of every record. */

const ofMember = (kind: RecordKind, name: string, member: Member): Check =>
  check(`${kind.part}-${kind.name}-${kebab(name)}`, async (subject) => {
    const rows = some(await kind.rows(subject), kind.name)
    for (const row of rows) {
      const problem = problemOf(row, name, member)
      if (problem) fail(`${problem}, in ${shortened(JSON.stringify(row))}`)
    }
    const seen = rows.filter((row) => name in row).length
    if (seen === 0 && member.presence === 'expected')
      throw new NotApplicable(`no ${kind.name} has \`${name}\``)
    return `${seen} of ${rows.length}`
  })

const ofClosed = (kind: RecordKind): Check =>
  check(`${kind.part}-${kind.name}-closed`, async (subject) => {
    for (const row of some(await kind.rows(subject), kind.name))
      equals(
        Object.keys(row).filter((name) => !(name in kind.members)),
        [],
        `members of ${shortened(JSON.stringify(row))} that are none of a ${kind.name}`,
      )
  })

const membersOf = (kind: RecordKind): Check[] => [
  ...Object.entries(kind.members).flatMap(([name, member]) =>
    // The table of fault codes has no sourceId; if present, it must be a string.
    kind.name === 'fault-code-event' && name === 'sourceId' ? [] : [ofMember(kind, name, member)],
  ),
  ...(kind.closed ? [ofClosed(kind)] : []),
]

/** Kinds whose members all exist only after the suite's own writes. */
const late = new Set(['connection', 'agreement', 'sync'])

const idsFit = (statement: string, kind: string, prefix: string) =>
  check(statement, async (subject) => {
    const ids = some(await kindOf(kind).rows(subject), kind).map((row) => row['id'])
    const problem = is.listOf(is.id(prefix))(ids)
    if (problem) fail(problem)
    holds(new Set(ids).size === ids.length || kind === 'connection', `two ${kind}s have the same id`)
  })

const ids = [
  idsFit('2-id-connection', 'connection', 'conn'),
  idsFit('2-id-vehicle', 'vehicle', 'vcl'),
  idsFit('2-id-driver', 'driver', 'drv'),
  idsFit('2-id-trip', 'trip', 'trp'),
  idsFit('2-id-safety-event', 'safety-event', 'sft_evt'),
  idsFit('2-id-hos-log', 'hos-log', 'hos_log'),
  idsFit('2-id-fault-code-event', 'fault-code-event', 'fc_evt'),
  idsFit('2-id-group', 'group', 'group'),
  idsFit('2-id-device', 'device', 'dvc'),
  idsFit('2-id-agreement', 'agreement', 'agr'),
  check('2-token-connection', async (subject) => {
    for (const row of some(await kindOf('connection').rows(subject), 'connection'))
      holds(/^con_tkn_\S+$/.test(textAt(row, 'token')), 'a token does not start with con_tkn_')
  }),
]

const safetyType = (type: string) =>
  check(`2.6-type-${type.replaceAll('_', '-')}`, async (subject) => {
    const types = (await kindOf('safety-event').rows(subject)).map((row) => row['type'])
    if (!types.includes(type)) throw new NotApplicable(`the fleet has no event of type ${type}`)
  })

const supportOf = (row: JsonObject): JsonObject => {
  const models = row['supportedModels']
  return isJsonObject(models) ? models : fail('supportedModels is not an object')
}

const rest = [
  check('2.1-provider-code', async (subject) => {
    const connection = await subject.ok('/connections/current')
    const codes = (await kindOf('provider').rows(subject)).map((row) => row['code'])
    const code = valueAt(connection, 'provider.code')
    holds(codes.includes(code), `${String(code)} is not among the providers ${codes.join(', ')}`)
    for (const row of some(await subject.all('/drivers'), 'driver')) equals(row['provider'], code, 'provider')
  }),
  check('2.2-vehicle-metadata-visibility', async (subject) => {
    for (const row of some(await kindOf('vehicle').rows(subject), 'vehicle')) {
      const visibility = textAt(row, 'metadata.visibility')
      const deletedAt = valueAt(row, 'metadata.deletedAt')
      equals(
        visibility === 'deleted',
        deletedAt !== undefined,
        `${visibility} with deletedAt ${String(deletedAt)}`,
      )
    }
  }),
  check('2.2-raw-on-request', async (subject) => {
    const [row] = some(await subject.all('/vehicles'), 'vehicle')
    const id = textAt(row, 'id')
    for (const [query, there] of [
      ['', false],
      ['?raw=false', false],
      ['?raw=true', true],
    ] as const)
      equals('raw' in (await subject.ok(`/vehicles/${id}${query}`)), there, `raw with ${query || 'no query'}`)
  }),
  ...['speeding', 'harsh_brake', 'harsh_acceleration', 'harsh_turn', 'crash'].map(safetyType),
  check('2.7-variants-protocol', async (subject) => {
    for (const row of some(await kindOf('fault-code-event').rows(subject), 'fault code event')) {
      const [mine, others] = row['protocol'] === 'obdii' ? ['obdii', 'j1939'] : ['j1939', 'obdii']
      holds(mine in row && !(others in row), `an event of ${mine}: ${shortened(JSON.stringify(row))}`)
    }
  }),
  check('2.8-unknown-places-left-out', withoutPlace),
  check('4.8-without-place', withoutPlace),
  check('2.9-base-code-authenticated', async (subject) => {
    const { status, body } = await subject.get('/providers', { key: null, token: null })
    holds(status === 401 || Array.isArray(body), `without a key the answer is ${status}`)
    holds(!JSON.stringify(body).includes('"baseCode"'), 'baseCode is shown without a key')
  }),
  check('2.9-all-models', async (subject) => {
    for (const row of some(await kindOf('provider').rows(subject), 'provider'))
      equals(
        modelNames.filter((name) => !(name in supportOf(row))),
        [],
        `models that ${String(row['code'])} does not list`,
      )
  }),
  check('2.9-stat-log-types', async (subject) => {
    for (const row of some(await kindOf('provider').rows(subject), 'provider')) {
      const support = supportOf(row)['VehicleStatLog']
      if (isJsonObject(support) && valueAt(support, 'supportedOperations.read') === 'supported')
        holds(Array.isArray(support['types']), `${String(row['code'])} lists no types`)
    }
  }),
  check('d2-read-support', async (subject) => {
    for (const row of some(await kindOf('provider').rows(subject), 'provider'))
      for (const [name, support] of Object.entries(supportOf(row))) {
        const read = isJsonObject(support) ? valueAt(support, 'supportedOperations.read') : undefined
        const problem = readSupport(read)
        if (problem) fail(`${name}: ${problem}`)
      }
  }),
  check('2.11-fuel-of-locations', async (subject) => {
    const rows = some(await subject.all('/vehicles/locations'), 'location')
    if (!rows.some((row) => 'fuel' in row)) throw new NotApplicable('no location has fuel')
  }),
  check('g1.7-value', async (subject) => {
    for (const row of some(await listed('stats')(subject), 'stat log')) {
      const [member, shape] = statValues[textAt(row, 'type')] ?? fail(`unknown type ${String(row['type'])}`)
      const problem = shape(row[member])
      if (problem) fail(`${textAt(row, 'type')}.${member}: ${problem}`)
    }
  }),
  check('g3.4-all-stat-types', async (subject) => {
    const types = new Set((await listed('stats')(subject)).map((row) => row['type']))
    const unseen = Object.keys(statValues).filter((type) => !types.has(type))
    if (unseen.length > 0) throw new NotApplicable(`the vehicle has no ${unseen.join(', ')}`)
  }),
]

async function withoutPlace(subject: Subject): Promise<string> {
  const located = some(await subject.all('/vehicles/locations'), 'location')
  const placed = new Set(located.map((row) => textAt(row, 'vehicle')))
  holds(
    located.every((row) => isJsonObject(row['location'])),
    'a result has no location',
  )
  const unplaced = (await subject.all('/vehicles?hidden=true')).filter(
    (row) => !placed.has(textAt(row, 'id')),
  )
  const [one] = some(unplaced, 'vehicle without a last known location')
  const { results } = await subject.page(`/vehicles/locations?vehicleIds=${textAt(one, 'id')}`)
  equals(results, [], 'the location of a vehicle without one')
  return `${unplaced.length} left out`
}

export const memberChecks: readonly Check[] = [
  ...ids,
  ...kinds.filter(({ name }) => !late.has(name)).flatMap(membersOf),
  ...rest,
]

export const lateMemberChecks: readonly Check[] = kinds
  .filter(({ name }) => late.has(name))
  .flatMap(membersOf)
