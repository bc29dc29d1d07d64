import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { hashKey } from '../../../src/auth/keys.ts'
import { keyScopes } from '../../../src/auth/key-scopes.ts'
import { newId } from '../../../src/domain/ids.ts'
import { encryptedColumns } from '../../../src/subgraphs/tables/encrypted-columns.ts'
import { sessionScopes } from '../../../src/auth/session-scopes.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'
import { dialects, NOON, type ApiClient } from '../../support/factories.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'
import { foundIn } from '../../support/secrets/secret-search.ts'
import { type Known, wholeQueries } from '../../support/secrets/whole-queries.ts'

const OWN_SECRET = `whsec_${Buffer.from('not a real secret, but planted here').toString('base64')}`
const RECEIVER = 'https://fleet:planted-pass-of-nobody@receiver.example.com/hook'
const HEADER = { name: 'x-api-key', value: 'planted-key-of-a-gateway' }

/** Mutations that return a secret, the field with it, and their input. */
const MINTS: readonly [name: string, shows: string, input: (made: Made) => object][] = [
  ['createKey', 'value key { id }', () => ({ name: 'planted' })],
  ['rotateKey', 'value key { id }', ({ createKey }) => ({ keyId: createKey.key.id })],
  ['createSession', 'token session { id }', () => ({})],
  [
    'createWebhookEndpoint',
    'secret endpoint { id }',
    () => ({ url: RECEIVER, secret: OWN_SECRET, headers: [HEADER] }),
  ],
  [
    'rotateWebhookSecret',
    'secret endpoint { id }',
    (made) => ({ endpointId: made['createWebhookEndpoint'].endpoint.id }),
  ],
]

// oxlint-disable-next-line typescript/no-explicit-any -- a payload is what was selected
type Made = Record<string, any>

describe.each(dialects)('the whole graph on %s', (dialect) => {
  let harness: ConnectionsHarness
  let linked: Linked
  let known: Known
  const secrets = new Map<string, string>()
  let clients: Readonly<Record<string, ApiClient>>

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    linked = await harness.link(undefined, {
      credentials: { apiKey: 'planted-key-of-nobody', other: 'planted-rest-of-it' },
    })
    const syncId = await harness.sync(linked)
    const as = keyHolder(linked.applicationId, null, {
      id: newId('key'),
      scopes: [...keyScopes],
      expiresAt: null,
    })
    const key = { ...linked.owner, as }
    const made: Made = {}
    for (const [name, shows, input] of MINTS) {
      const { payload, message } = await harness.mutate(key, name, input(made), shows)
      if (payload === null) throw new Error(`${name}: ${message}`)
      made[name] = payload
      const [field = ''] = shows.split(' ')
      secrets.set(payload[field], `${name}.${field}`)
    }
    secrets.set('planted-key-of-nobody', 'a credential').set('planted-rest-of-it', 'a credential')
    secrets.set(linked.owner.secretKey, 'the secret key')
    secrets
      .set(HEADER.value, 'a header of an endpoint')
      .set('planted-pass-of-nobody', 'the password of a URL')
    const plain = [...secrets]
    for (const [secret, name] of plain) secrets.set(hashKey(secret), `the hash of ${name}`)
    secrets.set(hashKey(linked.client.token!), 'the hash of the connection token')
    for (const { table, columns } of encryptedColumns)
      for (const row of await harness.db.rows<Record<string, string>>(`SELECT * FROM \`${table}\``))
        for (const column of columns) if (row[column]) secrets.set(row[column], `${table}.${column}`)

    const [vehicle] = await harness.db.rows<{ id: string }>('SELECT `id` FROM `vehicles` LIMIT 1')
    known = {
      connection: linked.id,
      sync: syncId,
      webhookEndpoint: made['createWebhookEndpoint'].endpoint.id,
      key: made['createKey'].key.id,
      session: made['createSession'].session.id,
      ...(vehicle ? { vehicle: vehicle.id } : {}),
    }
    const expiresAt = NOON + 3_600_000
    const session = {
      id: newId('session'),
      name: null,
      role: null,
      scopes: sessionScopes,
      keyId: null,
      keyScopes: null,
      expiresAt,
    }
    clients = {
      'a secret key': key,
      'a connection token': linked.client,
      'a session': {
        ...linked.owner,
        caller: { applicationId: linked.applicationId, connectionIds: null, key: null, session },
      },
    }
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  test.each(['a secret key', 'a connection token', 'a session'])(
    'returns no secret to %s for any query',
    async (who) => {
      let answered = 0
      for (const [name, text] of wholeQueries(supergraph.apiSchema, known)) {
        const answer = await harness.ask(clients[who]!, text)
        if (answer.data) answered++
        // The connection token is readable with the key by contract; no other secret is.
        expect([name, foundIn([{ where: name, text: JSON.stringify(answer) }], secrets)]).toEqual([name, []])
      }
      expect(answered).toBeGreaterThan(20)
    },
  )
})

test('the list has every mutation that returns a secret', () => {
  const shown = Object.values(supergraph.apiSchema.getMutationType()!.getFields()).filter(({ type }) => {
    const payload = supergraph.apiSchema.getType(String(type).replace('!', ''))
    const fields = payload && 'getFields' in payload ? Object.values(payload.getFields()) : []
    return fields.some(({ description }) => /shown only here/i.test(description ?? ''))
  })
  expect(shown.map(({ name }) => name).sort()).toEqual(MINTS.map(([name]) => name).sort())
})
