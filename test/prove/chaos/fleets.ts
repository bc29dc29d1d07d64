import type { Random } from '../../fuzz/random.ts'
import type { SandboxProcess } from '../support/sandbox-process.ts'
import type { Client, Credentials } from './client.ts'

/** A fleet at the provider, and its connection. */
export interface Fleet {
  readonly connectionId: string
  readonly apiKey: string
  readonly size: number
  readonly credentials: Credentials
  archived: boolean
}

const HISTORY_MS = 30 * 60_000

/** Account of a fleet at the provider. Its name is also an API key. */
interface Account {
  readonly size: number
  readonly seed: number
  /** Returns its credentials, unless the API key is all. */
  readonly signIn?: (name: string) => Promise<object>
}

/** Links a fleet; null if the response has no connection. */
export async function linkFleet(
  client: Client,
  secretKey: string,
  { size, seed, signIn }: Account,
): Promise<Fleet | null> {
  const apiKey = `sandbox-${size}-${seed}`
  const answer = await client.rest<{ id: string; token: string }>({ secretKey }, 'POST', '/connections', {
    provider: 'sandbox',
    credentials: signIn ? await signIn(apiKey) : { apiKey },
    backfill: { startFrom: new Date(Date.now() - HISTORY_MS).toISOString() },
  })
  if (answer?.status !== 201) return null
  const { id, token } = answer.body
  return { connectionId: id, apiKey, size, credentials: { secretKey, token }, archived: false }
}

const nouns = ['vehicles', 'drivers', 'trailers', 'groups', 'devices'] as const

/** Renames, removes and restores records of a fleet at the provider. */
export async function changeFleet(
  { apiKey, size }: Fleet,
  sandbox: SandboxProcess,
  random: Random,
): Promise<void> {
  const changes = nouns
    .filter((noun) => noun === 'vehicles' || noun === 'drivers' || random.chance(0.3))
    .map((noun) => {
      const least = noun === 'groups' || noun === 'trailers' ? 2 : size
      const some = (most: number) => Array.from({ length: random.below(most + 1) }, () => random.below(least))
      return [noun, { modify: some(3), remove: some(1), restore: some(2) }] as const
    })
  await sandbox.control('records', { key: apiKey, ...Object.fromEntries(changes) })
}
