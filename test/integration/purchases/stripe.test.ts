import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newId } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import {
  removeCardNetworkEndpoint,
  updateCardNetworkEndpoint,
} from '../../../src/subgraphs/purchases/networks/set-endpoints.ts'
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
  signedByStripe,
  STRIPE_SECRET,
  stripeAuthorization,
  stripeEvent,
  type StripeMessage,
  stripeTransaction,
} from '../../support/purchases/stripe-messages.ts'

interface Answer {
  readonly status: number
  readonly version: string | null
  readonly body: Readonly<Record<string, unknown>>
}

describe.each(dialects)('the endpoint of Stripe on %s', (dialect) => {
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
    { network: 'stripe', secret: STRIPE_SECRET, cardId: 'ic_1' },
  )

  /** Starts the endpoints over HTTP. */
  async function open(options?: Parameters<typeof openCardNetworks>[1]) {
    const { post, ...opened } = await openCardNetworks(store, options)
    const send = async (id: string, { body, signature }: StripeMessage): Promise<Answer> => {
      const response = await post(id, body, { 'stripe-signature': signature })
      return {
        status: response.status,
        version: response.headers.get('stripe-version'),
        body: (await response.json()) as Answer['body'],
      }
    }
    return { send, ...opened }
  }

  const request = (values: object = {}, signing?: Parameters<typeof signedByStripe>[1]) =>
    signedByStripe(stripeEvent('issuing_authorization.request', stripeAuthorization(values)), signing)

  const capture = (values: object = {}) =>
    signedByStripe(stripeEvent('issuing_transaction.created', stripeTransaction(values)))

  test('approves the purchase of an assigned card, and records its check', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const answer = await send(await addEndpoint('decline'), request())
    const [check, ...others] = await checks()
    expect(others).toEqual([])
    expect(answer).toEqual({
      status: 200,
      version: '2026-10-28.endive',
      body: { approved: true, metadata: { odographDecision: 'approve', odographCheck: check!['id'] } },
    })
    expect(check).toMatchObject({
      vehicleId: atPump,
      cardId: 'ic_1',
      authorizationId: 'iauth_1',
      phase: 'authorization',
      decision: 'approve',
    })
    expect(logged).toEqual([])
  })

  test('takes the vehicle from the metadata of the card first', async () => {
    await assign(atPump)
    await turnOn()
    const { send } = await open()
    const card = { id: 'ic_1', metadata: { vehicleId: farAway } }
    const { body } = await send(await addEndpoint('approve'), request({ card }))
    expect(body).toMatchObject({ approved: false, metadata: { odographDecision: 'decline' } })
    expect(await checks()).toMatchObject([{ vehicleId: farAway }])
  })

  test('gives the default decision if the cardholder would have to confirm', async () => {
    await assign(farAway)
    await turnOn(RuleAction.CONFIRM)
    const { send } = await open()
    for (const [at, decision] of (['approve', 'decline'] as const).entries()) {
      const { body } = await send(await addEndpoint(decision), request({ id: `iauth_${at}` }))
      expect(body).toMatchObject({
        approved: decision === 'approve',
        metadata: { odographDecision: 'confirm', odographCheck: expect.stringMatching(/^pchk_/) },
      })
    }
  })

  test('repeats its answer to a repeated message', async () => {
    await assign(farAway)
    await turnOn()
    const { send } = await open()
    const id = await addEndpoint()
    const message = request()
    const first = await send(id, message)
    await setPurchasePolicy(deps(), owner(), { stage: PurchaseStage.V0 })
    expect(await send(id, message)).toEqual(first)
    expect(await send(id, request())).toEqual(first)
    expect(first.body['approved']).toBe(false)
    expect(await checks()).toHaveLength(1)
  })

  test('checks an increase of an authorization, and no other change of it', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const id = await addEndpoint('decline')
    const pending_request = { amount: 5000, currency: 'usd' }
    expect((await send(id, request())).body['approved']).toBe(true)
    expect(await send(id, request({ pending_request }))).toMatchObject({
      status: 200,
      body: { approved: false, metadata: { odographDecision: 'unknown' } },
    })
    expect(logged).toEqual([expect.stringContaining('Another purchase has used this idempotency key')])
    const request_history = [{ approved: true }]
    expect((await send(id, request({ pending_request, request_history }))).body['approved']).toBe(true)
    expect(await checks()).toHaveLength(2)
  })

  test.each(['approve', 'decline'] as const)(
    'answers %s by default for a card and a vehicle that it does not know',
    async (defaultDecision) => {
      const { send, logged } = await open()
      const id = await addEndpoint(defaultDecision)
      const cards = [
        { id: 'ic_unknown' },
        { id: 'ic_1', metadata: { vehicleId: newId('vehicle') } },
        { id: 'ic_1', metadata: { vehicleId: 'truck 7' } },
      ]
      for (const card of cards)
        expect(await send(id, request({ card }))).toEqual({
          status: 200,
          version: '2026-10-28.endive',
          body: { approved: defaultDecision === 'approve', metadata: { odographDecision: 'unknown' } },
        })
      expect(await checks()).toEqual([])
      expect(logged).toHaveLength(3)
      for (const [at, line] of logged.entries())
        expect(JSON.parse(line)).toMatchObject({
          applicationId: application.id,
          endpointId: id,
          cardId: cards[at]!.id,
          msg: 'card authorization was not checked',
        })
    },
  )

  test('answers by default to an authorization that it does not understand', async () => {
    const { send, logged } = await open()
    const id = await addEndpoint()
    expect((await send(id, request({ pending_request: null }))).body).toMatchObject({ approved: true })
    expect(logged).toHaveLength(1)
  })

  test('never checks a vehicle or a card of another application', async () => {
    await assign(atPump)
    const id = await addEndpoint('decline')
    const foreign = atPump
    application = await seedApplication(store, [fuelingFleet])
    const own = await addEndpoint('decline')
    const { send } = await open()
    const card = { id: 'ic_1', metadata: { vehicleId: foreign } }
    for (const values of [{ card }, {}])
      expect((await send(own, request(values))).body).toMatchObject({
        approved: false,
        metadata: { odographDecision: 'unknown' },
      })
    expect(await checks()).toEqual([])
    expect((await send(id, request())).body['approved']).toBe(true)
    expect(await checks()).toEqual([])
    await expect(removeCardNetworkEndpoint(deps(), owner(), id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(
      updateCardNetworkEndpoint(deps(), owner(), id, { defaultDecision: 'approve' }),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('refuses a wrong signature as it refuses an unknown endpoint, and writes nothing', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const id = await addEndpoint()
    const good = request()
    const refusals = [
      await send(id, request({}, { secret: 'whsec_of_another_endpoint' })),
      await send(id, { ...good, body: good.body.replace('12500', '12501') }),
      await send(id, { ...good, signature: 'nonsense' }),
      await send(id, request({}, { inSeconds: -305 })),
      await send(id, request({}, { inSeconds: 305 })),
      await send(newId('cardNetworkEndpoint'), good),
      await send('nonsense', good),
      await send(await addEndpoint('approve', null), request({}, { secret: '' })),
    ]
    for (const refusal of refusals) expect(refusal).toEqual({ ...refusals[0]!, status: 400, version: null })
    expect([await checks(), logged]).toEqual([[], []])
    for (const inSeconds of [-290, 290]) expect((await send(id, request({}, { inSeconds }))).status).toBe(200)
  })

  test('follows its changes and its removal', async () => {
    const id = await addEndpoint('approve', null)
    expect((await (await open()).send(id, request())).status).toBe(400)
    await updateCardNetworkEndpoint(deps(), owner(), id, { secret: STRIPE_SECRET })
    expect((await (await open()).send(id, request())).body['approved']).toBe(true)
    await updateCardNetworkEndpoint(deps(), owner(), id, { defaultDecision: 'decline' })
    expect((await (await open()).send(id, request())).body['approved']).toBe(false)
    await removeCardNetworkEndpoint(deps(), owner(), id)
    expect((await (await open()).send(id, request())).status).toBe(400)
    const rows = await store.rows<{ action: string; detail: string }>(
      "SELECT `action`, `detail` FROM `audit_log` WHERE `applicationId` = ? AND `action` LIKE 'card_network%' ORDER BY `id`",
      [application.id],
    )
    expect(rows.map(({ action }) => action.split('.')[1])).toEqual(['added', 'updated', 'updated', 'removed'])
    expect(JSON.stringify(rows)).not.toContain(STRIPE_SECRET)
  })

  test('stores its secret encrypted', async () => {
    const id = await addEndpoint()
    const [row] = await store.rows<{ secretSealed: string }>(
      'SELECT `secretSealed` FROM `card_network_endpoints` WHERE `id` = ?',
      [id],
    )
    expect(row!.secretSealed).toMatch(/^[\w-]{8}\./)
    expect(row!.secretSealed).not.toContain(STRIPE_SECRET)
    await expect(addEndpoint('approve', 'sk_live_1234567890')).rejects.toMatchObject({ code: 'bad_request' })
    const refusal: unknown = await addEndpoint('approve', 'sk_live_1234567890').catch(
      (error: unknown) => error,
    )
    expect(JSON.stringify(refusal)).not.toContain('sk_live')
  })

  test.each(['gone', 'stalled'] as const)('answers by default while the database is %s', async (state) => {
    await assign(atPump)
    const { send, become, logged, moveClock } = await open({ endpointReadMs: 50, deadlineMs: 50 })
    const id = await addEndpoint('decline')
    // The endpoint becomes known to the process. A busy machine needs more than one message.
    await vi.waitUntil(async () => (await send(id, signedByStripe(stripeEvent('ping', {})))).status === 200)
    logged.length = 0
    become(state)
    moveClock(10_000)
    expect(await send(id, request())).toEqual({
      status: 200,
      version: '2026-10-28.endive',
      body: { approved: false, metadata: { odographDecision: 'unknown' } },
    })
    expect(logged.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'card network endpoint read failed',
      'card authorization was not checked',
    ])
    expect(logged.join('')).not.toContain(STRIPE_SECRET)
    expect((await send(id, capture())).status).toBe(503)
    become('up')
    expect(await checks()).toEqual([])
  })

  test('answers 503 if the database fails before the endpoint is known', async () => {
    const { send, become } = await open()
    const id = await addEndpoint('approve')
    become('gone')
    expect(await send(id, request())).toMatchObject({ status: 503, body: { code: 'service_unavailable' } })
    become('up')
    expect((await send(id, request())).status).toBe(200)
  })

  test('answers by default when its own deadline is over', async () => {
    await assign(atPump)
    const { send, become, logged } = await open({ answerMs: 1 })
    const id = await addEndpoint('decline')
    await send(id, signedByStripe(stripeEvent('ping', {})))
    become('stalled')
    expect((await send(id, request())).body).toEqual({
      approved: false,
      metadata: { odographDecision: 'unknown' },
    })
    expect(logged).toEqual([expect.stringContaining('the deadline of the answer is over')])
  })

  test('joins a capture with the check of its authorization, once', async () => {
    await assign(atPump)
    const { send } = await open()
    const id = await addEndpoint()
    await send(id, request())
    const message = capture()
    for (const each of [message, message, capture()])
      expect(await send(id, each)).toEqual({ status: 200, version: '2026-10-28.endive', body: {} })
    const [authorization, captured, ...others] = await checks()
    expect(others).toEqual([])
    expect(captured).toMatchObject({
      phase: 'capture',
      authorizationCheckId: authorization!['id'],
      authorizationId: 'iauth_1',
      vehicleId: atPump,
    })
    const jsonOf = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)
    expect(jsonOf(captured!['fuel'])).toMatchObject({ liters: 96.528, product: 'diesel' })
    expect(jsonOf(captured!['amount'])).toEqual({ value: 98.75, currency: 'USD' })
  })

  test('answers by default to a merchant that sells no fuel, without a check', async () => {
    await assign(atPump)
    const { send, logged } = await open()
    const merchant_data = { category_code: '4784', name: 'TOLLS', postal_code: '10001', country: 'US' }
    for (const [defaultDecision, approved] of [
      ['approve', true],
      ['decline', false],
    ] as const) {
      const id = await addEndpoint(defaultDecision)
      const { body } = await send(id, request({ merchant_data }))
      expect(body).toEqual({ approved, metadata: { odographDecision: 'unknown' } })
      expect((await send(id, capture({ merchant_data }))).status).toBe(200)
    }
    expect([await checks(), logged]).toEqual([[], []])
  })

  test('takes other events, and captures without a check, without an effect', async () => {
    const { send, logged } = await open()
    const id = await addEndpoint()
    const others = [
      signedByStripe(stripeEvent('issuing_card.created', { id: 'ic_1' })),
      capture({ type: 'refund', amount: 9875 }),
      capture({ authorization: null }),
      capture({ type: 'refund', currency: null }),
      capture({ currency: null }),
      capture(),
    ]
    for (const message of others)
      expect(await send(id, message)).toEqual({ status: 200, version: '2026-10-28.endive', body: {} })
    expect(await checks()).toEqual([])
    expect(logged).toEqual([
      expect.stringContaining('card capture was not stored'),
      expect.stringMatching(/"authorizationId":"iauth_1".*card capture was not stored/),
    ])
    expect((await send(id, signedByStripe([]))).status).toBe(400)
  })

  test('refuses a body above 100 KiB', async () => {
    const { send } = await open()
    const large = signedByStripe(
      stripeEvent('issuing_authorization.request', { text: 'x'.repeat(100 * 1024) }),
    )
    expect(await send(await addEndpoint(), large)).toMatchObject({ status: 413 })
  })
})
