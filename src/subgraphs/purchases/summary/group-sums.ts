import { rounded } from '../../../domain/units.ts'
import type { PurchaseAmount } from '../merchant.ts'
import { RuleOutcome } from '../rules/rule.ts'
import type { PurchaseCountByStage, PurchaseRuleResults } from './counts-by-stage.ts'
import type { RuleResultRow } from './rule-sql.ts'
import {
  type CountByStageName,
  countNames,
  type Counts,
  forEachStage,
  moneyNames,
  type MoneySums,
  nameForStage,
  type SummaryRow,
} from './sum-names.ts'

/** Decimals of amounts. No currency has more. */
const MONEY_DECIMALS = 4
const LITERS_DECIMALS = 3

type Spelling = Pick<SummaryRow, 'key1' | 'key2'>

/** Sums of one group, to which the rows of each part of the period are added. */
export class GroupSums {
  readonly counts: Readonly<Counts>
  private readonly sums: Counts
  private readonly money: MoneySums
  private readonly checksByOutcome = new Map<RuleOutcome, number>()
  private readonly spellings = new Map<string, { readonly spelling: Spelling; checks: number }>()
  private litersSum: number | null = null

  constructor() {
    this.sums = Object.fromEntries(countNames.map((name) => [name, 0])) as Counts
    this.counts = this.sums
    this.money = Object.fromEntries(moneyNames.map((name) => [name, new Map()])) as unknown as MoneySums
  }

  add(row: SummaryRow): void {
    for (const name of countNames) this.sums[name] += Number(row[name])
    for (const name of moneyNames) addAmount(this.money[name], row.currency, row[name])
    if (row.liters !== null) this.litersSum = (this.litersSum ?? 0) + Number(row.liters)
  }

  addRuleResult({ outcome, checks }: RuleResultRow): void {
    this.checksByOutcome.set(outcome, this.checksWith(outcome) + Number(checks))
  }

  /** Counts checks with a spelling of the key. Returns whether it is a new one. */
  addSpelling({ key1, key2 }: Spelling, checks: number): boolean {
    const name = JSON.stringify([key1, key2])
    const known = this.spellings.get(name)
    if (known) known.checks += checks
    else this.spellings.set(name, { spelling: { key1, key2 }, checks })
    return known === undefined
  }

  /** The most frequent spelling of the key; of several, the first in order. */
  get key(): Spelling {
    const [most] = [...this.spellings].toSorted(
      ([firstName, first], [secondName, second]) =>
        second.checks - first.checks || (firstName < secondName ? -1 : 1),
    )
    return most?.[1].spelling ?? { key1: null, key2: null }
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

  countByStage(name: CountByStageName): PurchaseCountByStage {
    return forEachStage((stage) => this.counts[nameForStage(name, stage)])
  }

  /** Returns the amounts in order of the currency. */
  amounts(name: keyof MoneySums): PurchaseAmount[] {
    return [...this.money[name]]
      .toSorted(([first], [second]) => (first < second ? -1 : 1))
      .map(([currency, value]) => ({ currency, value: rounded(value, MONEY_DECIMALS) }))
  }

  get liters(): number | null {
    return this.litersSum === null ? null : rounded(this.litersSum, LITERS_DECIMALS)
  }
}

function addAmount(sums: Map<string, number>, currency: string, value: number | string): void {
  if (Number(value) !== 0) sums.set(currency, (sums.get(currency) ?? 0) + Number(value))
}
