import { locationsTopic } from '../../../src/subgraphs/telemetry/topics.ts'
import type { SeededApplication } from '../factories.ts'
import { FederationHarness, type GatewayClient } from '../federation/federation-harness.ts'

/** A gateway with a fleet, for a client library that has its address and a key. */
export class ClientHarness implements AsyncDisposable {
  private constructor(
    private readonly federation: FederationHarness,
    private readonly gateway: GatewayClient,
  ) {}

  static async start(): Promise<ClientHarness> {
    const federation = await FederationHarness.start([])
    return new ClientHarness(federation, await federation.startGateway())
  }

  get origin(): string {
    return this.gateway.url
  }

  get fleet(): SeededApplication {
    return this.federation.fleet
  }

  readonly getToken = (): Promise<string> => Promise.resolve(this.fleet.client.secretKey)

  /** Ids of all vehicles, and of those that have a latest location, in the order of lists. */
  async vehicleIds(): Promise<{ readonly all: readonly string[]; readonly located: readonly string[] }> {
    const query = '{ vehicles { nodes { id latestLocation { id } } } }'
    const { data } = await this.gateway.graphql(query, {}, this.fleet.client)
    const { nodes } = data!['vehicles'] as { nodes: { id: string; latestLocation: object | null }[] }
    return {
      all: nodes.map(({ id }) => id),
      located: nodes.flatMap(({ id, latestLocation }) => (latestLocation ? [id] : [])),
    }
  }

  /** Stores a new speed of a vehicle, as a poll does. */
  async drive(vehicleId: string, speed: number): Promise<void> {
    const { db, notifier } = this.federation
    await db.transaction((tx) =>
      tx.run('UPDATE `latest_vehicle_locations` SET `speed` = ?, `modifiedAt` = ? WHERE `vehicleId` = ?', [
        speed,
        Date.now(),
        vehicleId,
      ]),
    )
    notifier.notify(locationsTopic(this.fleet.id))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.federation[Symbol.asyncDispose]()
  }
}
