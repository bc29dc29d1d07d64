import type { Config } from '../../config.ts'
import type { Logger } from '../../log.ts'
import { InsuredLedger } from './insured-ledger.ts'
import type { Ledger } from './ledger.ts'
import { memoryLedger } from './memory-ledger.ts'
import { turnsIn, type TurnsOf } from './turns.ts'

type Settings = Pick<Config, 'redisUrl' | 'queuePrefix' | 'providerBudgets'>

/** Gives adapters their turns: with Redis those of all processes on it, within what the operator permits. */
export function providerTurns(
  { redisUrl, queuePrefix: prefix, providerBudgets }: Settings,
  log: Logger,
): { readonly turnsOf: TurnsOf; close(): Promise<void> } {
  const ledger: Ledger = redisUrl ? new InsuredLedger({ redisUrl, prefix, log }) : memoryLedger()
  return {
    turnsOf(asking) {
      const tighter = providerBudgets.get(asking.provider)
      const budgets = tighter ? [...asking.budgets, { per: 'provider', ...tighter } as const] : asking.budgets
      return turnsIn(ledger, { ...asking, budgets })
    },
    close: () => ledger.close(),
  }
}
