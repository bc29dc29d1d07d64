import { rounded } from '../../../domain/units.ts'
import type { PurchaseAmount } from '../merchant.ts'
import { RuleOutcome } from '../rules/rule.ts'
import type { PurchaseRuleResults } from './purchase-summary.ts'
import { countNames, type RuleResultRow, type SummaryRow } from './summary-sql.ts'

/** Decimals of amounts. No currency has more. */
const MONEY_DECIMALS = 4
const LITERS_DECIMALS = 3

/** Sums of one group, to which the rows of each part of the period are added. */
export class GroupSums {
  readonly counts: Record<(typeof countNames)[number], number>
  private readonly spendByCurrency = new Map<string, number>()
  private readonly avoidedByCurrency = new Map<string, number>()
  private readonly checksByOutcome = new Map<RuleOutcome, number>()
  private litersSum: number | null = null

  constructor(readonly key: Pick<SummaryRow, 'key1' | 'key2'>) {
    this.counts = Object.fromEntries(countNames.map((name) => [name, 0])) as typeof this.counts
  }

  add(row: SummaryRow): void {
    for (const name of countNames) this.counts[name] += Number(row[name])
    addAmount(this.spendByCurrency, row.currency, row.spend)
    addAmount(this.avoidedByCurrency, row.currency, row.avoided)
    if (row.liters !== null) this.litersSum = (this.litersSum ?? 0) + Number(row.liters)
  }

  addRuleResult({ outcome, checks }: RuleResultRow): void {
    this.checksByOutcome.set(outcome, this.checksWith(outcome) + Number(checks))
  }

  private checksWith(outcome: RuleOutcome): number {
    return this.checksByOutcome.get(outcome) ?? 0
  }

  get ruleResults(): PurchaseRuleResults {
    return {
      failed: this.checksWith(RuleOutcome.FAIL),
      passed: this.checksWith(RuleOutcome.PASS),
      unknown: this.checksWith(RuleOutcome.UNKNOWN),
    }
  }

  get spend(): PurchaseAmount[] {
    return amountsOf(this.spendByCurrency)
  }

  get avoided(): PurchaseAmount[] {
    return amountsOf(this.avoidedByCurrency)
  }

  get liters(): number | null {
    return this.litersSum === null ? null : rounded(this.litersSum, LITERS_DECIMALS)
  }
}

function addAmount(sums: Map<string, number>, currency: string, value: number | string): void {
  if (Number(value) !== 0) sums.set(currency, (sums.get(currency) ?? 0) + Number(value))
}

const amountsOf = (sums: ReadonlyMap<string, number>): PurchaseAmount[] =>
  [...sums]
    .toSorted(([first], [second]) => (first < second ? -1 : 1))
    .map(([currency, value]) => ({ currency, value: rounded(value, MONEY_DECIMALS) }))
