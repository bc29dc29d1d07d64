/** An attack of one caller on the service. */
export interface Attack {
  readonly name: string
  readonly description: string
  /** The trips and vehicles that the attacker's application has. */
  readonly fleet: { readonly vehicles: number; readonly tripsPerVehicle: number }
  /** Duration that replaces the one of the option. */
  readonly seconds?: number
  /** Whether new events of its application are stored meanwhile. */
  readonly hasEvents?: true
  /** Every answer must match this. */
  readonly permitted: RegExp
  /** At least one answer must match each of these. */
  readonly required: readonly RegExp[]
  /** Attacks until `isOver`, and counts each answer. */
  run(target: Target, count: (answer: string) => void, isOver: () => boolean): Promise<void>
}

/** Addresses and credentials of an attack. */
export interface Target {
  /** One URL for each gateway. */
  readonly urls: readonly string[]
  readonly secretKey: string
  readonly publishableKey: string
  readonly connectionToken: string
  /** Own address of the attacker, because the service counts failed authentications by address. */
  readonly localAddress: string
}

/** Repeats a request in parallel until the attack is over. */
export async function repeat(
  clients: number,
  isOver: () => boolean,
  request: (client: number) => Promise<void>,
): Promise<void> {
  const client = async (_: unknown, number: number) => {
    while (!isOver()) await request(number)
  }
  await Promise.all(Array.from({ length: clients }, client))
}

/** Returns the gateway of a client. */
export const urlOf = ({ urls }: Target, client: number): string => urls[client % urls.length]!
