import { writeFileSync } from 'node:fs'
import type { Id } from '../../../src/domain/ids.ts'
import type { Database } from '../../../src/storage/database.ts'
import { makeEndpoint, type NewEndpoint, rotateEndpoint } from '../support/webhook-endpoints.ts'
import type { Reader } from './reader.ts'
import { secretFile } from './receive-webhooks.ts'
import type { Applications } from './stage.ts'

const CONCURRENCY = 8
/** Shorter than the default schedule: a message that fails twice must not take minutes. */
const RETRY_SECONDS = [1, 2, 3, 5, 8, 13, 21, 30, 30, 30, 30, 30, 30]
const OVERLAP_SECONDS = 3600
/** Shares of the events after which secrets are rotated, and after which the receiver takes the new ones. */
const ROTATED_AT = 1 / 3
const TAKEN_AT = 1 / 2

type Notebooks = Readonly<Record<'all' | 'ordered', string>>

interface Made extends NewEndpoint {
  readonly receiptFile: string
}

/**
 * Endpoints of the proof. Their secrets rotate during the run; the receiver knows one secret of each at a
 * time.
 */
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

  /** Creates one endpoint for all events in any order, and one for a connection in record order. */
  static async make(
    db: Database,
    { mine: [origin] }: Applications,
    notebooks: Notebooks,
    url: string,
  ): Promise<Endpoints> {
    if (!origin) throw new Error('no connection')
    const { applicationId, connectionId } = origin
    const input = { concurrency: CONCURRENCY, retrySeconds: RETRY_SECONDS }
    const ordered = { ...input, ordering: 'resource', connectionIds: [connectionId] } as const
    const all = await makeEndpoint(db, applicationId, { ...input, url: `${url}/all` })
    const inOrder = await makeEndpoint(db, applicationId, { ...ordered, url: `${url}/ordered` })
    return new Endpoints(db, applicationId, [
      { ...all, receiptFile: notebooks.all },
      { ...inOrder, receiptFile: notebooks.ordered },
    ])
  }

  /** Rotates the secrets at the planned share of the events. */
  async keepRotating(share: number, receiver: Reader): Promise<void> {
    if (share >= ROTATED_AT && this.rotated.length === 0)
      for (const { endpointId, receiptFile } of this.made) {
        const secret = await rotateEndpoint(this.db, this.applicationId, endpointId, OVERLAP_SECONDS)
        this.rotated.push({ endpointId, secret, receiptFile })
      }
    if (share < TAKEN_AT || this.isTaken) return
    this.isTaken = true
    learn(this.rotated)
    receiver.send('secrets')
  }
}

function learn(endpoints: readonly Made[]): void {
  for (const { receiptFile, secret } of endpoints) writeFileSync(secretFile(receiptFile), secret)
}
