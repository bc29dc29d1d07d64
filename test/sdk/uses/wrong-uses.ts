import { type Connection, OdographClient, type Vehicle, verifyWebhook } from '@odograph/client'
import { openLink, reconnect } from '@odograph/client/browser'

/** Never run: `tsc` refuses each of these, and an error that is not there is an error itself. */
export async function wrongUses(odograph: OdographClient): Promise<void> {
  const fleet = odograph.connection('con_tkn_x')

  // @ts-expect-error -- where the service is must be told
  const _unplaced = new OdographClient({ secretKey: 'sk_prod_x' })
  // @ts-expect-error -- vehicles are those of a connection
  odograph.vehicles.list()
  // @ts-expect-error -- an id must be given
  fleet.vehicles.get()
  // @ts-expect-error -- and by its name
  fleet.vehicles.get({ vehicleId: 'vcl_1' })
  // @ts-expect-error -- there is no such parameter
  fleet.vehicles.list({ expands: ['groups'] })
  // @ts-expect-error -- trips have no groups
  fleet.trips.list({ expand: ['groups'] })
  // @ts-expect-error -- the paging is done by the loop
  fleet.vehicles.list({ cursor: 'x' })
  // @ts-expect-error -- both months are needed
  fleet.ifta.summary({ startMonth: '2026-01' })
  // @ts-expect-error -- a state that nobody sets
  fleet.update({ status: 'deleted' })
  // @ts-expect-error -- a list is looped over, not awaited
  const vehicles: readonly Vehicle[] = await fleet.vehicles.list()
  // @ts-expect-error -- records are as the service gave them
  vehicles[0]!.name = 'other'
  // @ts-expect-error -- a vehicle may have no name
  const name: string = vehicles[1]!.name
  // @ts-expect-error -- the secret is missing
  await verifyWebhook({}, '{}')
  // @ts-expect-error -- the payload has been parsed: what was signed is lost
  await verifyWebhook({}, { id: 'evt_1' }, 'whsec_x')

  const place = { linkUrl: 'https://link.example.com', publishableKey: 'pk_prod_x' }
  // @ts-expect-error -- a connection that there is keeps its settings
  await reconnect({ ...place, connectionId: 'conn_1', syncMode: 'manual' })
  // @ts-expect-error -- days or a moment
  await openLink({ ...place, backfill: { days: 3, from: 'x' } })
  const outcome = await openLink(place)
  // @ts-expect-error -- the fleet may have left
  const token: string = outcome.publicToken

  // What is right is not refused.
  const connection: Connection = await odograph.exchangePublicToken('pub_tkn_x')
  for await (const vehicle of fleet.vehicles.list({ expand: ['groups'] })) void vehicle.metadata.modifiedAt
  const { a } = await fleet.graphql<{ a: number }>('{ a }', { first: 1 })
  await fleet.get({}, { signal: AbortSignal.timeout(1000) })
  void [connection.token, a, name, token]
}
