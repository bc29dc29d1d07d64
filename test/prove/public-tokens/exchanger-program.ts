import { setTimeout as wait } from 'node:timers/promises'
import { keyHolder } from '../../../src/auth/caller.ts'
import { isClientError } from '../../../src/domain/errors.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { exchangePublicToken } from '../../../src/subgraphs/connections/tokens/exchange-public-token.ts'
import type { ConnectionCommandDeps } from '../../../src/subgraphs/connections/command-deps.ts'

/**
 * Exchanges batches of public tokens, each token three times at once, and prints a token for each exchange that
 * succeeds. The proof kills the program during the run.
 */
const { DATABASE, APPLICATION, TOKENS } = process.env as Record<string, string>
const db = await openDatabase({ ...JSON.parse(String(DATABASE)), poolSize: 6 })
const deps = { db, clock: { now: Date.now } } as unknown as ConnectionCommandDeps
const caller = keyHolder(String(APPLICATION))

async function exchange(publicToken: string): Promise<void> {
  try {
    await exchangePublicToken(deps, caller, { publicToken })
    process.stdout.write(`${publicToken}\n`)
  } catch (error) {
    if (!isClientError(error)) throw error
  }
}

const remaining = String(TOKENS).split(' ')
for (let batch = remaining.splice(0, 4); batch.length > 0; batch = remaining.splice(0, 4))
  await Promise.all([...batch, ...batch, ...batch].map(exchange))
// A process that finishes early waits until the proof kills it.
await wait(60_000)
