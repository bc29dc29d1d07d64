import {
  type Connection,
  OdographClient,
  type UnknownEvent,
  type Vehicle,
  verifyWebhook,
} from '@odograph/client'
import { type OdographSession, openLink, reconnect } from '@odograph/client/browser'

/** Never runs. `tsc` must reject each use below; a directive without an error is itself an error. */
export async function wrongUses(odograph: OdographClient): Promise<void> {
  const fleet = odograph.connection('con_tkn_x')

  // @ts-expect-error -- the base URL is missing
  const _withoutUrl = new OdographClient({ secretKey: 'sk_prod_x' })
  // @ts-expect-error -- vehicles need a connection
  odograph.vehicles.list()
  // @ts-expect-error -- the id is missing
  fleet.vehicles.get()
  // @ts-expect-error -- the id has another name
  fleet.vehicles.get({ vehicleId: 'vcl_1' })
  // @ts-expect-error -- a replay needs the delivery too
  odograph.webhookEndpoints.replay('whe_1')
  // @ts-expect-error -- unknown parameter
  fleet.vehicles.list({ expands: ['groups'] })
  // @ts-expect-error -- trips have no groups
  fleet.trips.list({ expand: ['groups'] })
  // @ts-expect-error -- the loop reads the pages
  fleet.vehicles.list({ cursor: 'x' })
  // @ts-expect-error -- the end month is missing
  fleet.ifta.summary({ startMonth: '2026-01' })
  // @ts-expect-error -- a status that clients cannot set
  fleet.update({ status: 'deleted' })
  // @ts-expect-error -- a list is an iterable, not a promise
  const vehicles: readonly Vehicle[] = await fleet.vehicles.list()
  // @ts-expect-error -- records are read-only
  vehicles[0]!.name = 'other'
  // @ts-expect-error -- the name can be missing
  const name: string = vehicles[1]!.name
  // @ts-expect-error -- the secret is missing
  await verifyWebhook({}, '{}')
  // @ts-expect-error -- a parsed payload has lost the signed bytes
  await verifyWebhook({}, { id: 'evt_1' }, 'whsec_x')

  const event = await verifyWebhook({}, '{}', 'whsec_x')
  // @ts-expect-error -- only some types of events have a vehicle
  void event.detail.vehicle
  if (event.type === 'vehicle.added') {
    // @ts-expect-error -- the event has a vehicle and no driver
    void event.detail.driver
    // @ts-expect-error -- the name can be missing
    const _name: string = event.detail.vehicle.name
    // @ts-expect-error -- references of an event are ids
    void event.detail.vehicle.groups[0]?.name
  }
  // @ts-expect-error -- there is no such type of events
  if (event.type === 'vehicle.add') return
  // @ts-expect-error -- other known types are not handled
  if (event.type !== 'vehicle.added') event satisfies UnknownEvent

  const pages = { linkUrl: 'https://link.example.com', publishableKey: 'pk_prod_x' }
  // @ts-expect-error -- an existing connection keeps its settings
  await reconnect({ ...pages, connectionId: 'conn_1', syncMode: 'manual' })
  // @ts-expect-error -- no such member of the backfill
  await openLink({ ...pages, backfill: { days: 3, from: 'x' } })
  const outcome = await openLink(pages)
  // @ts-expect-error -- a cancelled outcome has no token
  const token: string = outcome.publicToken

  // Correct uses.
  const connection: Connection = await odograph.exchangePublicToken('pub_tkn_x')
  for await (const vehicle of fleet.vehicles.list({ expand: ['groups'] })) void vehicle.metadata.modifiedAt
  const { a } = await fleet.graphql<{ a: number }>('{ a }', { first: 1 })
  await fleet.get({}, { signal: AbortSignal.timeout(1000) })
  void [connection.token, a, name, token]
}

/** Never runs, like `wrongUses`. */
export async function wrongUsesOfSessions(session: OdographSession): Promise<void> {
  for await (const event of session.followEvents())
    if (event.type === 'connection.updated') {
      void event.detail.connection.status
      // @ts-expect-error -- a session does not get the token of a connection
      void event.detail.connection.token
    }
}
