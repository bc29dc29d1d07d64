import { writeFileSync } from 'node:fs'
import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { makeEndpoint, type NewEndpoint, rotateEndpoint } from '../webhook-endpoints.ts'
import type { Reader } from './reader.ts'
import { secretFile } from './receive-webhooks.ts'
import type { Applications } from './stage.ts'

const CONCURRENCY = 8
/** Shorter than the service's own: what fails twice is not to be waited for for minutes. */
const RETRY_SECONDS = [1, 2, 3, 5, 8, 13, 21, 30, 30, 30, 30, 30, 30]
const OVERLAP_SECONDS = 3600
/** When the secrets are rotated, and when the receiver takes the new ones, as shares of the events. */
const ROTATED_AT = 1 / 3
const TAKEN_AT = 1 / 2

type Notebooks = Readonly<Record<'all' | 'ordered', string>>

interface Made extends NewEndpoint {
  readonly notebook: string
}

/** The endpoints of the proof. Their secrets are rotated while events come; the receiver has one of each at a time. */
export class Endpoints {
  private rotated: Made[] = []
  private isTaken = false

  private constructor(
    private readonly db: Database,
    private readonly applicationId: Id<'application'>,
    private readonly made: readonly Made[],
  ) {
    learn(made)
  }

  /** One endpoint for everything in any order, and one for a connection alone in the order of its records. */
  static async make(
    db: Database,
    { mine: [origin] }: Applications,
    notebooks: Notebooks,
    url: string,
  ): Promise<Endpoints> {
    if (!origin) throw new Error('there is no connection')
    const { applicationId, connectionId } = origin
    const input = { concurrency: CONCURRENCY, retrySeconds: RETRY_SECONDS }
    const ordered = { ...input, ordering: 'resource', connectionIds: [connectionId] } as const
    const all = await makeEndpoint(db, applicationId, { ...input, url: `${url}/all` })
    const inOrder = await makeEndpoint(db, applicationId, { ...ordered, url: `${url}/ordered` })
    return new Endpoints(db, applicationId, [
      { ...all, notebook: notebooks.all },
      { ...inOrder, notebook: notebooks.ordered },
    ])
  }

  /** Rotates when so large a share of the events has come. */
  async keepRotating(share: number, receiver: Reader): Promise<void> {
    if (share >= ROTATED_AT && this.rotated.length === 0)
      for (const { endpointId, notebook } of this.made) {
        const secret = await rotateEndpoint(this.db, this.applicationId, endpointId, OVERLAP_SECONDS)
        this.rotated.push({ endpointId, secret, notebook })
      }
    if (share < TAKEN_AT || this.isTaken) return
    this.isTaken = true
    learn(this.rotated)
    receiver.tell('secrets')
  }
}

function learn(endpoints: readonly Made[]): void {
  for (const { notebook, secret } of endpoints) writeFileSync(secretFile(notebook), secret)
}
