import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { marqeta } from '../../../src/subgraphs/purchases/networks/marqeta.ts'
import { updateCardNetworkEndpoint } from '../../../src/subgraphs/purchases/networks/set-endpoints.ts'
import { PurchaseStage, RuleAction } from '../../../src/subgraphs/purchases/policy/policy.ts'
import { setPurchasePolicy } from '../../../src/subgraphs/purchases/policy/set-policy.ts'
import {
  dialects,
  seedApplication,
  type SeededApplication,
  temporaryDatabase,
} from '../../support/factories.ts'
import {
  cardNetworkOwner,
  fuelingFleet,
  openCardNetworks,
} from '../../support/purchases/card-network-harness.ts'
import {
  AUSTIN_ACCEPTOR,
  MARQETA_CREDENTIALS,
  MARQETA_FUNDING,
  marqetaClearing,
  type MarqetaMessage,
  marqetaTransaction,
  sentByMarqeta,
} from '../../support/purchases/marqeta-messages.ts'
import {
  signedByStripe,
  STRIPE_SECRET,
  stripeAuthorization,
  stripeEvent,
} from '../../support/purchases/stripe-messages.ts'

const PASSWORD = MARQETA_CREDENTIALS.split(':')[1]!

describe.each(dialects)('the endpoint of Marqeta on %s', (dialect) => {
  let store: Database & AsyncDisposable
  let application: SeededApplication
  let atPump: string
  let farAway: string

  beforeAll(async () => {
    store = await temporaryDatabase(dialect)
  })
  beforeEach(async () => {
    application = await seedApplication(store, [fuelingFleet])
    const [pump, far] = application.connections[0]!.vehicles
    atPump = pump!.id
    farAway = far!.id
  })
  afterAll(() => store[Symbol.asyncDispose]())

  const { deps, owner, addEndpoint, assign, turnOn, checks } = cardNetworkOwner(
    () => ({ store, application }),
    { network: 'marqeta', secret: MARQETA_CREDENTIALS, cardId: 'card_1' },
  )

  /** Starts the endpoints over HTTP. */
  async function open(options?: Parameters<typeof openCardNetworks>[1]) {
    const { post, ...opened } = await openCardNetworks(store, options)
    const send = async (id: string, { body, authorization }: MarqetaMessage) => {
      const response = await post(id, body, { authorization })
      return { status: response.status, body: (await response.json()) as object }
    }
    return { send, post, ...opened }
  }

  const request = (values: object = {}, funding: object = {}) =>
    sentByMarqeta(marqetaTransaction(values, funding))

  const webhook = (...transactions: readonly object[]) => sentByMarqeta({ transactions })

  /** Returns the answer to a request. */
  const answered = (status: number, funding: object) => ({
    status,
    body: { jit_funding: { ...MARQETA_FUNDING, ...funding } },
  })
  const approvedByDefault = answered(200, { tags: 'odographDecision=unknown' })
  const declinedByDefault = answered(402, {
    decline_reason: 'TRANSACTION_NOT_PERMITTED',
    tags: 'odographDecision=unknown',
  })

  const jsonOf = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

  test('approves the purchase of an assigned card, and records its check', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const answer = await send(await addEndpoint('decline'), request())
    const [check, ...others] = await checks()
    expect(others).toEqual([])
    expect(answer).toEqual(
      answered(200, { tags: `odographDecision=approve,odographCheck=${String(check!['id'])}` }),
    )
    expect(check).toMatchObject({
      idempotencyKey: 'marqeta:txn_1',
      vehicleId: atPump,
      cardId: 'card_1',
      authorizationId: 'txn_1',
      phase: 'authorization',
      decision: 'approve',
    })
    expect(jsonOf(check!['amount'])).toEqual({ value: 125.5, currency: 'USD' })
    expect(logged).toEqual([])
  })

  test('declines a purchase whose vehicle is far away, with its reason', async () => {
    await assign(farAway)
    await turnOn()
    const { send } = await open()
    const answer = await send(await addEndpoint(), request())
    const [check] = await checks()
    expect(answer).toEqual(
      answered(402, {
        decline_reason: 'SUSPECTED_FRAUD',
        tags: `odographDecision=decline,odographCheck=${String(check!['id'])}`,
      }),
    )
  })

  test('takes the vehicle from the metadata of the card first', async () => {
    await assign(atPump)
    await turnOn()
    const { send } = await open()
    const card = { metadata: { vehicleId: farAway } }
    expect((await send(await addEndpoint(), request({ card }))).status).toBe(402)
    expect(await checks()).toMatchObject([{ vehicleId: farAway, cardId: 'card_1' }])
  })

  test('gives the default decision if the cardholder would have to confirm', async () => {
    await assign(farAway)
    await turnOn(RuleAction.CONFIRM)
    const { send } = await open()
    const tags = expect.stringMatching(/^odographDecision=confirm,odographCheck=pchk_/)
    expect(await send(await addEndpoint('approve'), request())).toEqual(answered(200, { tags }))
    expect(await send(await addEndpoint('decline'), request({ token: 'txn_3' }))).toEqual(
      answered(402, { decline_reason: 'TRANSACTION_NOT_PERMITTED', tags }),
    )
  })

  test('repeats its answer to a repeated message', async () => {
    await assign(farAway)
    await turnOn()
    const { send } = await open()
    const id = await addEndpoint()
    const first = await send(id, request())
    await setPurchasePolicy(deps(), owner(), { stage: PurchaseStage.V0 })
    expect(await send(id, request())).toEqual(first)
    expect(first.status).toBe(402)
    expect(await checks()).toHaveLength(1)
  })

  test('checks an increment with a check of its own, by the first authorization', async () => {
    await assign(atPump)
    const { send } = await open()
    const id = await addEndpoint('decline')
    await send(id, request())
    const increment = request(
      {
        type: 'authorization.incremental',
        token: 'txn_3',
        amount: 50,
        preceding_related_transaction_token: 'txn_1',
      },
      { method: 'pgfs.authorization.incremental', amount: 50 },
    )
    for (let sent = 0; sent < 2; sent++) expect((await send(id, increment)).status).toBe(200)
    expect((await send(id, webhook(marqetaClearing()))).status).toBe(200)
    const [authorization, ...later] = await checks()
    expect(later).toMatchObject([
      { idempotencyKey: 'marqeta:txn_3', authorizationId: 'txn_1', phase: 'authorization' },
      { authorizationCheckId: authorization!['id'], phase: 'capture' },
    ])
    expect(later).toHaveLength(2)
    expect(jsonOf(later[0]!['amount'])).toEqual({ value: 50, currency: 'USD' })
  })

  test('joins an increment of an increment, and its capture, with the first authorization', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const id = await addEndpoint('decline')
    await send(id, request())
    const increment = (token: string, preceding_related_transaction_token: string) =>
      request({ token, preceding_related_transaction_token }, { method: 'pgfs.authorization.incremental' })
    for (let sent = 0; sent < 2; sent++) {
      expect((await send(id, increment('txn_3', 'txn_1'))).status).toBe(200)
      expect((await send(id, increment('txn_4', 'txn_3'))).status).toBe(200)
      const clearing = marqetaClearing({ preceding_related_transaction_token: 'txn_4' })
      expect((await send(id, webhook(clearing))).status).toBe(200)
    }
    const [authorization, ...others] = await checks()
    expect(others).toMatchObject([
      { idempotencyKey: 'marqeta:txn_3', authorizationId: 'txn_1' },
      { idempotencyKey: 'marqeta:txn_4', authorizationId: 'txn_1' },
      { authorizationId: 'txn_1', authorizationCheckId: authorization!['id'], phase: 'capture' },
    ])
    expect(others).toHaveLength(3)
    expect(logged).toEqual([])
  })

  test('captures an authorization that is its own capture when it is completed, once', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const id = await addEndpoint('decline')
    const method = 'pgfs.auth_plus_capture'
    const values = { user_transaction_time: '', created_time: null }
    for (let sent = 0; sent < 2; sent++)
      expect(await send(id, request(values, { method }))).toEqual(
        answered(200, {
          method,
          tags: expect.stringMatching(/^odographDecision=approve,odographCheck=pchk_/),
        }),
      )
    const completed = { ...values, type: 'pindebit', state: 'COMPLETION' }
    for (let sent = 0; sent < 2; sent++)
      expect((await send(id, webhook(marqetaTransaction(completed, { method })))).status).toBe(200)
    const [authorization, ...captures] = await checks()
    expect(authorization).toMatchObject({ phase: 'authorization', authorizationId: 'txn_1' })
    expect(captures).toMatchObject([
      { phase: 'capture', authorizationCheckId: authorization!['id'], authorizationId: 'txn_1' },
    ])
    expect(captures).toHaveLength(1)
    expect(logged).toEqual([])
  })

  test('compares no purchase with a declined authorization that would have been its own capture', async () => {
    await setPurchasePolicy(deps(), owner(), {
      stage: PurchaseStage.V1,
      rules: [
        { rule: 'near_merchant', action: RuleAction.DECLINE },
        { rule: 'one_card_two_places', action: RuleAction.DECLINE },
      ],
    })
    await assign(atPump)
    const { send } = await open()
    const id = await addEndpoint()
    const method = 'pgfs.auth_plus_capture'
    const far = { card_acceptor: { ...AUSTIN_ACCEPTOR, city: 'DALLAS', zip: '75201' } }
    expect((await send(id, request(far, { method }))).status).toBe(402)
    const declined = { ...far, type: 'pindebit', state: 'DECLINED' }
    expect((await send(id, webhook(marqetaTransaction(declined, { method })))).status).toBe(200)
    expect((await send(id, request({ token: 'txn_3' }, { method }))).status).toBe(200)
    expect(await checks()).toMatchObject([{ decision: 'decline' }, { decision: 'approve' }])
  })

  test.each(['approve', 'decline'] as const)(
    'answers %s by default for a card and a vehicle that it does not know',
    async (defaultDecision) => {
      const { send, logged } = await open()
      const id = await addEndpoint(defaultDecision)
      const unknown = [
        { card_token: 'card_unknown' },
        { card_token: null },
        { card: { metadata: { vehicleId: newId('vehicle') } } },
        // Another purchase has no such merchant.
        { card_acceptor: null },
        { amount: null },
        { token: 'no token' },
        { currency_code: '840' },
      ]
      for (const values of unknown)
        expect(await send(id, request(values))).toEqual(
          defaultDecision === 'approve' ? approvedByDefault : declinedByDefault,
        )
      expect(await checks()).toEqual([])
      expect(logged).toHaveLength(unknown.length)
      for (const line of logged)
        expect(JSON.parse(line)).toMatchObject({
          applicationId: application.id,
          endpointId: id,
          msg: 'card authorization was not checked',
        })
    },
  )

  test('answers by default to other merchants and to balance inquiries, without a check', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const tolls = request({ card_acceptor: { ...AUSTIN_ACCEPTOR, mcc: '4784' } })
    const method = 'pgfs.balanceinquiry'
    const balance = request({ card_acceptor: null, amount: 0 }, { method })
    for (const [defaultDecision, expected] of [
      ['approve', approvedByDefault],
      ['decline', declinedByDefault],
    ] as const) {
      const id = await addEndpoint(defaultDecision)
      expect(await send(id, tolls)).toEqual(expected)
      expect(await send(id, balance)).toEqual(
        answered(expected.status, { ...expected.body.jit_funding, method }),
      )
    }
    expect([await checks(), logged]).toEqual([[], []])
  })

  test('approves the verification of a card, without a check', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const funding = { method: 'pgfs.authorization.account_verification', amount: 0 }
    expect(await send(await addEndpoint('decline'), request({ amount: 0 }, funding))).toEqual(
      answered(200, funding),
    )
    expect([await checks(), logged]).toEqual([[], []])
  })

  test('takes what only informs without an effect, and without an approval', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const id = await addEndpoint()
    for (const method of ['pgfs.authorization.reversal', 'pgfs.refund', 'pgfs.directdeposit.credit'])
      expect(await send(id, request({}, { method }))).toEqual({ status: 200, body: {} })
    const others = [
      {},
      { pings: [{ token: 'root', payload: 'ping' }] },
      { cardtransitions: [{ token: 'transition_1', state: 'ACTIVE' }] },
      { transactions: [] },
      // A webhook repeats what the gateway has decided.
      { transactions: [marqetaTransaction(), marqetaTransaction({}, { method: 'pgfs.auth_plus_capture' })] },
    ]
    for (const body of others) expect(await send(id, sentByMarqeta(body))).toEqual({ status: 200, body: {} })
    expect([await checks(), logged]).toEqual([[], []])
  })

  test('logs a method that it does not know, and does not approve it', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const id = await addEndpoint()
    const method = 'pgfs.authorization.of_the_future'
    expect(await send(id, request({}, { method }))).toEqual({ status: 200, body: {} })
    expect(await checks()).toEqual([])
    expect(logged.map((line) => JSON.parse(line) as object)).toMatchObject([
      {
        applicationId: application.id,
        endpointId: id,
        method,
        msg: 'card network message has an unknown method',
      },
    ])
    expect(logged.join('')).not.toContain(PASSWORD)
  })

  test('joins the captures of a webhook with the checks of their authorizations, once', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const id = await addEndpoint()
    for (const token of ['txn_1', 'txn_3']) await send(id, request({ token }))
    const second = { token: 'txn_4', preceding_related_transaction_token: 'txn_3' }
    const message = webhook(
      marqetaClearing({ token: 'txn_5', preceding_related_transaction_token: 'txn_unknown' }),
      marqetaClearing({ token: 'txn_6', amount: null }),
      marqetaClearing({ token: 'txn_7', state: 'DECLINED' }),
      marqetaClearing({ token: 'txn_8', preceding_related_transaction_token: null }),
      marqetaClearing({ token: 'txn_9', card_acceptor: { mcc: '4784' } }),
      marqetaClearing(),
      marqetaClearing(second),
    )
    for (let sent = 0; sent < 2; sent++) expect(await send(id, message)).toEqual({ status: 200, body: {} })
    // The gateway may get it too.
    expect((await send(id, sentByMarqeta(marqetaClearing()))).status).toBe(200)
    const [first, third, ...captures] = await checks()
    expect(captures).toMatchObject([
      { phase: 'capture', authorizationCheckId: first!['id'], authorizationId: 'txn_1', vehicleId: atPump },
      { phase: 'capture', authorizationCheckId: third!['id'], authorizationId: 'txn_3', vehicleId: atPump },
    ])
    expect(captures).toHaveLength(2)
    expect(jsonOf(captures[0]!['amount'])).toEqual({ value: 98.75, currency: 'USD' })
    expect(logged.slice(0, 2)).toEqual([
      expect.stringMatching(/"authorizationId":"txn_unknown".*card capture was not stored/),
      expect.stringContaining('card capture was not stored'),
    ])
    expect(logged).toHaveLength(4)
  })

  test('stores the captures of a webhook after one that cannot be stored', async () => {
    await assign(atPump)
    const { send, become, logged } = await open()
    const id = await addEndpoint()
    for (const token of ['txn_1', 'txn_3']) await send(id, request({ token }))
    const second = { token: 'txn_4', preceding_related_transaction_token: 'txn_3' }
    const message = webhook(marqetaClearing(), marqetaClearing(second))
    const captures = async () => (await checks()).filter(({ phase }) => phase === 'capture')
    become('failing_write')
    expect((await send(id, message)).status).toBe(503)
    expect(await captures()).toMatchObject([{ idempotencyKey: 'marqeta:txn_4' }])
    expect(logged).toContainEqual(
      expect.stringMatching(/"idempotencyKey":"marqeta:txn_2".*card capture was not stored/),
    )
    expect((await send(id, message)).status).toBe(200)
    expect(await captures()).toMatchObject([
      { idempotencyKey: 'marqeta:txn_4' },
      { idempotencyKey: 'marqeta:txn_2' },
    ])
  })

  test('refuses wrong credentials as it refuses an unknown endpoint, and writes nothing', async () => {
    await assign(atPump)
    const { post, send, logged } = await open()
    const id = await addEndpoint()
    const { body, authorization } = request()
    const [user] = MARQETA_CREDENTIALS.split(':')
    const basic = (credentials: string) => sentByMarqeta({}, credentials).authorization
    const refusalOf = async (endpointId: string, header: string) => {
      const response = await post(endpointId, body, { authorization: header })
      return {
        status: response.status,
        challenge: response.headers.get('www-authenticate'),
        body: { ...((await response.json()) as object), detail: undefined },
      }
    }
    const refusals = [
      await refusalOf(id, basic(`${user}:${PASSWORD}x`)),
      await refusalOf(id, basic(`${user}:`)),
      await refusalOf(id, basic(`other:${PASSWORD}`)),
      await refusalOf(id, basic(PASSWORD)),
      await refusalOf(id, basic('')),
      await refusalOf(id, `Bearer ${PASSWORD}`),
      await refusalOf(id, 'Basic'),
      await refusalOf(newId('cardNetworkEndpoint'), authorization),
      await refusalOf('nonsense', authorization),
      await refusalOf(await addEndpoint('approve', STRIPE_SECRET, 'stripe'), authorization),
      await refusalOf(await addEndpoint('approve', STRIPE_SECRET, 'stripe'), basic(STRIPE_SECRET)),
      await refusalOf(await addEndpoint('approve', null), basic(':')),
    ]
    for (const refusal of refusals)
      expect(refusal).toEqual({ ...refusals[0]!, status: 401, challenge: 'Basic realm="card-networks"' })
    expect([await checks(), logged]).toEqual([[], []])
    expect((await send(id, request())).status).toBe(200)
  })

  test('refuses signatures of Stripe, like an endpoint of Stripe that does not exist', async () => {
    const { post } = await open()
    const event = stripeEvent('issuing_authorization.request', stripeAuthorization())
    const { body, signature } = signedByStripe(event, { secret: MARQETA_CREDENTIALS })
    const refusalOf = async (id: string, headers: Readonly<Record<string, string>>) => {
      const response = await post(id, body, headers)
      return [response.status, response.headers.get('www-authenticate'), await response.json()]
    }
    const id = await addEndpoint()
    const expected = await refusalOf(newId('cardNetworkEndpoint'), { 'stripe-signature': signature })
    expect(expected.slice(0, 2)).toEqual([400, null])
    const { authorization } = sentByMarqeta({})
    const others: readonly Readonly<Record<string, string>>[] = [
      { 'stripe-signature': signature },
      { 'stripe-signature': signature, authorization },
    ]
    for (const headers of others) expect(await refusalOf(id, headers)).toEqual(expected)
    for (const endpointId of [id, newId('cardNetworkEndpoint'), 'nonsense'])
      expect(await refusalOf(endpointId, {})).toMatchObject([
        400,
        null,
        { message: 'The message has neither a signature nor a user name and password.' },
      ])
    expect(await checks()).toEqual([])
  })

  test('refuses a body that is no message, and writes nothing', async () => {
    await assign(atPump)
    const { send } = await open()
    const id = await addEndpoint()
    const { authorization } = request()
    const bodies = ['', 'nonsense', '[]', '"text"', 'null', '{"transactions":{}}', '{"gpa_order":"order_1"}']
    const messages = [
      ...bodies.map((body) => ({ body, authorization })),
      request({}, { token: null }),
      request({}, { amount: '125.50' }),
    ]
    for (const message of messages)
      expect(await send(id, message)).toMatchObject({ status: 400, body: { code: 'bad_request' } })
    expect(await checks()).toEqual([])
  })

  test('takes ten transactions of 9 kB in a message, and refuses a body above 100 KiB', async () => {
    const { send } = await open()
    const id = await addEndpoint()
    const declined = marqetaClearing({ state: 'DECLINED', padding: 'x'.repeat(8400) })
    const ten = webhook(...Array.from({ length: 10 }, () => declined))
    expect(ten.body.length).toBeGreaterThan(90_000)
    expect(await send(id, ten)).toMatchObject({ status: 200 })
    expect(await send(id, webhook({ padding: 'x'.repeat(100 * 1024) }))).toMatchObject({ status: 413 })
  })

  test('never checks a vehicle or a card of another application', async () => {
    await assign(atPump)
    const id = await addEndpoint('decline')
    const foreign = atPump
    const { send } = await open()
    await send(id, request())
    application = await seedApplication(store, [fuelingFleet])
    const own = await addEndpoint('decline')
    const card = { metadata: { vehicleId: foreign } }
    for (const values of [{ card }, {}]) expect(await send(own, request(values))).toEqual(declinedByDefault)
    expect((await send(own, webhook(marqetaClearing()))).status).toBe(200)
    expect(await checks()).toEqual([])
  })

  test('keeps its credentials encrypted, and out of audit and errors', async () => {
    const id = await addEndpoint()
    const rolled = 'marqeta:another-password-of-the-endpoint-2'
    await updateCardNetworkEndpoint(deps(), owner(), id, { secret: rolled })
    const { send, logged } = await open()
    expect((await send(id, request())).status).toBe(401)
    expect((await send(id, sentByMarqeta({}, rolled))).status).toBe(200)
    const rows = await store.rows(
      'SELECT `secretSealed` AS text FROM `card_network_endpoints` WHERE `id` = ? UNION ALL SELECT `detail` FROM `audit_log` WHERE `applicationId` = ?',
      [id, application.id],
    )
    const malformed = [
      'nonsense',
      'user:short',
      `a:b:c ${PASSWORD}`,
      `:${PASSWORD}`,
      `${'u'.repeat(51)}:${PASSWORD}`,
    ]
    const errors = await Promise.all(
      malformed.flatMap((secret) =>
        [addEndpoint('approve', secret), updateCardNetworkEndpoint(deps(), owner(), id, { secret })].map(
          (call) => call.catch((error: unknown) => error),
        ),
      ),
    )
    for (const error of errors) expect(error).toMatchObject({ code: 'bad_request' })
    const seen = JSON.stringify([rows, errors, logged])
    for (const secret of [PASSWORD, 'another-password', 'nonsense', 'short'])
      expect(seen).not.toContain(secret)
  })

  test('makes credentials that Marqeta accepts', async () => {
    const made = marqeta.newSecret!()
    const [user, password] = made.split(':')
    expect(user).toBe('odograph')
    expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*-)[\w-]{20,50}$/)
    expect(marqeta.newSecret!()).not.toBe(made)
    const { send } = await open()
    expect((await send(await addEndpoint('approve', made), sentByMarqeta({}, made))).status).toBe(200)
  })

  test.each(['gone', 'stalled'] as const)('answers by default while the database is %s', async (state) => {
    await assign(atPump)
    const { send, become, logged, moveClock } = await open({ endpointReadMs: 50, deadlineMs: 50 })
    const id = await addEndpoint('decline')
    // The endpoint becomes known to the process. A busy machine needs more than one message.
    await vi.waitUntil(async () => (await send(id, sentByMarqeta({}))).status === 200)
    logged.length = 0
    become(state)
    moveClock(10_000)
    expect(await send(id, request())).toEqual(declinedByDefault)
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'card network endpoint read failed',
      'card authorization was not checked',
    ])
    expect(logged.join('')).not.toContain(PASSWORD)
    const captures = webhook(marqetaClearing({ amount: null }), marqetaClearing())
    expect((await send(id, captures)).status).toBe(503)
    become('up')
    expect(await checks()).toEqual([])
  })

  test('stores the captures of a webhook that is sent again', async () => {
    await assign(atPump)
    const { send, become } = await open({ deadlineMs: 50 })
    const id = await addEndpoint()
    await vi.waitUntil(async () => {
      await send(id, request())
      return (await checks()).length === 1
    })
    become('gone')
    expect((await send(id, webhook(marqetaClearing()))).status).toBe(503)
    become('up')
    await vi.waitUntil(async () => (await send(id, webhook(marqetaClearing()))).status === 200)
    expect(await checks()).toMatchObject([{ phase: 'authorization' }, { phase: 'capture' }])
  })

  test('answers by default when its own deadline is over', async () => {
    await assign(atPump)
    const { send, become, logged } = await open({ answerMs: 1 })
    const id = await addEndpoint('decline')
    await send(id, sentByMarqeta({}))
    become('stalled')
    expect(await send(id, request())).toEqual(declinedByDefault)
    expect(logged).toEqual([expect.stringContaining('the deadline of the answer is over')])
  })
})
