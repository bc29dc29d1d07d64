import { Writable } from 'node:stream'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import { systemClock } from '../../../src/domain/time.ts'
import { createApp } from '../../../src/http/app.ts'
import { mountCardNetworks } from '../../../src/http/card-networks.ts'
import type { Database } from '../../../src/storage/database.ts'
import { assignCard } from '../../../src/subgraphs/purchases/cards/assign-card.ts'
import type {
  CardNetwork,
  DefaultDecision,
} from '../../../src/subgraphs/purchases/networks/card-network-endpoint.ts'
import { cardMessageReceiver } from '../../../src/subgraphs/purchases/networks/receive-card-message.ts'
import { addCardNetworkEndpoint } from '../../../src/subgraphs/purchases/networks/set-endpoints.ts'
import { PurchaseStage, RuleAction } from '../../../src/subgraphs/purchases/policy/policy.ts'
import { setPurchasePolicy } from '../../../src/subgraphs/purchases/policy/set-policy.ts'
import { createVisibleReads } from '../../../src/subgraphs/tables/visible-reads.ts'
import {
  latestLocationRow,
  masterEncryption,
  type RecordsOf,
  type SeededApplication,
  vehicleRow,
} from '../factories.ts'
import { contextsOver } from '../graph/graph-harness.ts'

const AUSTIN = { longitude: -97.7431, latitude: 30.2672 }
const DALLAS = { longitude: -96.797, latitude: 32.7767 }

/** A truck at the pump in Austin, and one in Dallas. */
export const fuelingFleet: RecordsOf = (owner) => {
  const vehicles = [vehicleRow(owner, {}), vehicleRow(owner, {})]
  return {
    vehicles,
    latestLocations: vehicles.map(({ id }, at) =>
      latestLocationRow(owner, {
        vehicleId: id,
        ...(at === 0 ? AUSTIN : DALLAS),
        locatedAt: Date.now() - 20_000,
        modifiedAt: Date.now(),
        speed: 0,
      }),
    ),
  }
}

interface NetworkOfTests {
  readonly network: CardNetwork
  readonly secret: string
  readonly cardId: string
}

/** What the owner of an application does before a card network sends messages. */
export function cardNetworkOwner(
  current: () => { readonly store: Database; readonly application: SeededApplication },
  { network: ownNetwork, secret: ownSecret, cardId: ownCard }: NetworkOfTests,
) {
  const deps = () => ({ db: current().store, secrets: masterEncryption, clock: systemClock })
  const owner = () => keyHolder(current().application.id)
  return {
    deps,
    owner,
    addEndpoint: async (
      defaultDecision: DefaultDecision = 'approve',
      secret: string | null = ownSecret,
      network = ownNetwork,
    ) => (await addCardNetworkEndpoint(deps(), owner(), { network, defaultDecision, secret })).id,
    assign: (vehicleId: string, cardId = ownCard) =>
      assignCard(
        deps(),
        { caller: owner(), visible: createVisibleReads(deps().db, owner()) },
        { cardId, vehicleId },
      ),
    /** Lets checks decline by location, with the place of the merchant as wide as its postal code. */
    turnOn: (action = RuleAction.DECLINE) =>
      setPurchasePolicy(deps(), owner(), {
        stage: PurchaseStage.V1,
        rules: [{ rule: 'near_merchant', action }],
      }),
    checks: () =>
      deps().db.rows<Record<string, unknown>>(
        'SELECT * FROM `purchase_checks` WHERE `applicationId` = ? ORDER BY `id`',
        [owner().applicationId],
      ),
  }
}

/** State of the database as the door sees it: `stalled` never answers, `failing_write` fails one transaction. */
type DatabaseState = 'up' | 'gone' | 'stalled' | 'failing_write'

/** Returns a database whose state can change. */
function changeable(db: Database) {
  let state: DatabaseState = 'up'
  const guarded =
    <Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> => {
      if (state === 'gone') return Promise.reject(new Error('the database is gone'))
      return state === 'stalled' ? new Promise(() => undefined) : call(...args)
    }
  const transaction: Database['transaction'] = async (...args) => {
    if (state !== 'failing_write') return db.transaction(...args)
    state = 'up'
    throw new Error('the transaction failed')
  }
  return {
    db: { ...db, rows: guarded(db.rows.bind(db)), transaction: guarded(transaction) } as Database,
    become: (next: DatabaseState) => (state = next),
  }
}

interface OpenOptions {
  readonly answerMs?: number
  readonly endpointReadMs?: number
  readonly deadlineMs?: number
}

/** Starts the endpoints of card networks over HTTP, until the test ends. */
export async function openCardNetworks(
  store: Database,
  // A busy machine misses none of these deadlines.
  { answerMs = 60_000, endpointReadMs = 60_000, deadlineMs = 30_000 }: OpenOptions = {},
) {
  const logged: string[] = []
  const log = pino(
    { level: 'warn' },
    new Writable({ write: (line, _, done) => (logged.push(String(line)), done()) }),
  )
  const { db, become } = changeable(store)
  let laterMs = 0
  const app = createApp({ log })
  const receive = cardMessageReceiver({
    db,
    secrets: masterEncryption,
    clock: { now: () => systemClock.now() + laterMs },
    log,
    answerMs,
    endpointReadMs,
  })
  mountCardNetworks(app, { contextFor: contextsOver(db, undefined, undefined, deadlineMs) }, receive)
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const post = (id: string, body: string, headers: Readonly<Record<string, string>>) =>
    fetch(`http://127.0.0.1:${port}/card-networks/${id}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    })
  return { post, become, logged, moveClock: (ms: number) => (laterMs += ms) }
}
