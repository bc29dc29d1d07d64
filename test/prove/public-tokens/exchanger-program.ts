import { setTimeout as wait } from 'node:timers/promises'
import { keyHolder } from '../../../src/auth/caller.ts'
import { isClientError } from '../../../src/domain/errors.ts'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { exchangePublicToken } from '../../../src/subgraphs/connections/tokens/exchange-public-token.ts'
import type { ConnectionCommandDeps } from '../../../src/subgraphs/connections/command-deps.ts'

/**
 * Exchanges public tokens, a few at once and each three times, and prints the answered ones. The proof kills
 * it during the run.
 */
const { DATABASE, APPLICATION, TOKENS } = process.env as Record<string, string>
const db = await openDatabase({ ...JSON.parse(String(DATABASE)), poolSize: 6 })
const from = { db, clock: { now: Date.now } } as unknown as ConnectionCommandDeps
const caller = keyHolder(String(APPLICATION))

async function exchange(publicToken: string): Promise<void> {
  try {
    await exchangePublicToken(from, caller, { publicToken })
    process.stdout.write(`${publicToken}\n`)
  } catch (error) {
    if (!isClientError(error)) throw error
  }
}

const waiting = String(TOKENS).split(' ')
for (let some = waiting.splice(0, 4); some.length > 0; some = waiting.splice(0, 4))
  await Promise.all([...some, ...some, ...some].map(exchange))
// A process that finishes early waits for its kill.
await wait(60_000)
