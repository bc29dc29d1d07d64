import {
  type SimulatedPurchase,
  type TheftKind,
  theftKinds,
} from '../../../src/providers/sandbox/simulator/purchases/simulated-purchase.ts'
import { isFlagged, PurchaseDecision } from '../../../src/subgraphs/purchases/policy/decide.ts'
import { RuleAction, type RuleFinding, rules } from '../../../src/subgraphs/purchases/policy/policy.ts'
import type { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'
import { RuleOutcome } from '../../../src/subgraphs/purchases/rules/rule.ts'
import type { CheckedCase } from './play.ts'

/** When the service noticed a theft first, or why not. */
const notices = ['declined', 'flagged', 'at capture', 'a day later', 'unknown', 'missed'] as const

type Notice = (typeof notices)[number]

const uncaught: readonly Notice[] = ['unknown', 'missed']
const stages = ['v1', 'v2', 'v3'] as const

const { DECLINE, UNKNOWN } = PurchaseDecision

class Counts {
  private readonly counts = new Map<string, number>()

  add(...words: readonly string[]): void {
    for (const word of words) this.counts.set(word, this.of(word) + 1)
  }

  of(...words: readonly string[]): number {
    return words.reduce((sum, word) => sum + (this.counts.get(word) ?? 0), 0)
  }

  get total(): number {
    return this.of(...this.counts.keys())
  }

  toString(): string {
    const sorted = [...this.counts].toSorted(([, one], [, other]) => other - one)
    return sorted.map(([word, count]) => `${count} ${word}`).join(', ') || 'none'
  }
}

const countsByKind = (): Record<TheftKind, Counts> =>
  Object.fromEntries(theftKinds.map((kind) => [kind, new Counts()])) as Record<TheftKind, Counts>

export interface Aims {
  readonly leastCaught: number
  readonly mostDeclined: number
}

/** Compares checks with the truth, and counts. */
export class Tally {
  private readonly visible = countsByKind()
  private readonly hidden = countsByKind()
  /** Honest purchases by the decision at the pump, and by the rules that gave it. */
  private readonly decisions = new Counts()
  private readonly declinedBy = new Counts()
  private readonly unknownBy = new Counts()
  /** Honest purchases with a wrong address that were declined. */
  private wronglyAddressed = 0
  private readonly capturesDeclinedBy = new Counts()
  private readonly flaggedBy = new Counts()
  private readonly declinedThefts = new Counts()
  private readonly declinedHonest = new Counts()
  private readonly unsound: string[] = []
  /** Thefts that the data can show, but that are not caught, with what the rules found. */
  private readonly uncaught: string[] = []

  /** Adds all purchases of a vehicle. */
  add(cases: readonly CheckedCase[]): void {
    const byPurchase = new Map(cases.map((one) => [one.purchase, one]))
    const twins = new Set(cases.flatMap(({ purchase }) => purchase.theft?.twin ?? []))
    for (const one of cases) {
      const { theft } = one.purchase
      const checks = [one.authorization, ...(one.capture ? [one.capture] : [])]
      this.unsound.push(...checks.flatMap(unsoundReasons))
      const declined = stages.filter((stage) => one.authorization.wouldBe[stage] === DECLINE)
      if (theft) {
        this.declinedThefts.add(...declined)
        const counts = theft.isVisible ? this.visible : this.hidden
        const notice = noticeOf(one, theft.twin && byPurchase.get(theft.twin))
        counts[theft.kind].add(notice)
        if (theft.isVisible && uncaught.includes(notice)) this.uncaught.push(explanationOf(one, notice))
      } else {
        this.declinedHonest.add(...declined)
        this.addHonest(one, twins)
      }
    }
  }

  private addHonest(
    { purchase, authorization, capture }: CheckedCase,
    twins: ReadonlySet<SimulatedPurchase>,
  ): void {
    this.decisions.add(authorization.decision)
    if (authorization.decision === UNKNOWN)
      this.unknownBy.add(...deciding(authorization, RuleOutcome.UNKNOWN))
    if (authorization.decision === DECLINE) {
      this.declinedBy.add(...deciding(authorization, RuleOutcome.FAIL))
      if (purchase.station.reported === 'head office') this.wronglyAddressed++
    }
    if (twins.has(purchase)) return
    if (capture?.decision === DECLINE) this.capturesDeclinedBy.add(...deciding(capture, RuleOutcome.FAIL))
    const flags = [...authorization.reasons, ...(capture?.reasons ?? []), ...laterFindings(capture)]
      .filter(({ outcome, action }) => outcome === RuleOutcome.FAIL && action === RuleAction.FLAG)
      .map(({ rule }) => rule)
    this.flaggedBy.add(...new Set(flags))
  }

  get purchases(): number {
    return this.decisions.total + this.thefts
  }

  private get thefts(): number {
    return theftKinds.reduce((sum, kind) => sum + this.visible[kind].total + this.hidden[kind].total, 0)
  }

  /** Prints the counts. Returns what does not hold. */
  report({ leastCaught, mostDeclined }: Aims): string[] {
    console.log(lineOf(['thefts that the data can show', ...notices, 'caught', 'of the others']))
    for (const kind of theftKinds) console.log(lineOf(this.columnsOf(kind)))
    const total = theftKinds.reduce((sum, kind) => sum + this.visible[kind].total, 0)
    const missed = theftKinds.reduce((sum, kind) => sum + this.visible[kind].of(...uncaught), 0)
    const honest = this.decisions.total
    const caughtPercent = (100 * (total - missed)) / total
    const declinedPercent = (100 * this.decisions.of(DECLINE)) / honest
    console.log(
      `${total - missed} of ${total} thefts that the data can show are caught: ${caughtPercent.toFixed(2)} %`,
    )
    for (const explanation of this.uncaught.slice(0, MAX_EXPLAINED)) console.log(`  ${explanation}`)
    console.log(`${honest} honest purchases at the pump: ${this.decisions}`)
    console.log(`  declined: ${declinedPercent.toFixed(3)} %, by rule: ${this.declinedBy}`)
    console.log(
      `  declined because the network reports the address of a head office: ${this.wronglyAddressed}`,
    )
    console.log(`  unknown, by rule: ${this.unknownBy}`)
    console.log(`  captures with the decision DECLINE, by rule: ${this.capturesDeclinedBy}`)
    console.log(`  flagged, by rule: ${this.flaggedBy}`)
    for (const stage of stages)
      console.log(
        `${stage.toUpperCase()} declines ${this.declinedThefts.of(stage)} of ${this.thefts} thefts and ${this.declinedHonest.of(stage)} of ${honest} honest purchases at the pump`,
      )
    return [
      ...(caughtPercent >= leastCaught
        ? []
        : [`only ${caughtPercent.toFixed(2)} % of the thefts are caught`]),
      ...(declinedPercent <= mostDeclined
        ? []
        : [`${declinedPercent.toFixed(3)} % of the honest purchases are declined`]),
      ...this.unsound.slice(0, MAX_SHOWN),
    ]
  }

  private columnsOf(kind: TheftKind): string[] {
    const [visible, hidden] = [this.visible[kind], this.hidden[kind]]
    const caught = visible.total - visible.of(...uncaught)
    return [
      `${kind}: ${visible.total}`,
      ...notices.map((notice) => String(visible.of(notice))),
      visible.total === 0 ? '' : `${((100 * caught) / visible.total).toFixed(1)} %`,
      `${hidden.total - hidden.of(...uncaught)} of ${hidden.total}`,
    ]
  }
}

const MAX_SHOWN = 5
const MAX_EXPLAINED = 20

const lineOf = ([first = '', ...rest]: readonly string[]): string =>
  first.padEnd(32) + rest.map((word) => word.padStart(14)).join('')

const laterFindings = (capture: PurchaseCheck | null): readonly RuleFinding[] =>
  capture?.reconciliation?.reasons ?? []

function noticeOf({ authorization, capture }: CheckedCase, twin?: CheckedCase): Notice {
  const captures = [capture, twin?.capture ?? null]
  const later = captures.flatMap(laterFindings)
  if (authorization.decision === DECLINE) return 'declined'
  if (isFlagged(authorization.reasons)) return 'flagged'
  if (captures.some((one) => one && isFlagged(one.reasons))) return 'at capture'
  if (isFlagged(later)) return 'a day later'
  const isUnknown =
    [authorization, capture].some((one) => one?.decision === UNKNOWN) ||
    later.some(({ outcome }) => outcome === RuleOutcome.UNKNOWN)
  return isUnknown ? 'unknown' : 'missed'
}

const fuelRules = ['tank_fits', 'level_rose', 'level_kept']

/** Returns what the rules about fuel found of a theft. */
function explanationOf({ purchase, authorization, capture }: CheckedCase, notice: Notice): string {
  const findings = [...authorization.reasons, ...(capture?.reasons ?? []), ...laterFindings(capture)]
  const texts = findings
    .filter(({ rule }) => fuelRules.includes(rule))
    .map(({ rule, outcome, text }) => `${rule} ${outcome}: ${text}`)
  return `${notice}: ${purchase.theft?.kind}, ${purchase.liters} l of ${authorization.vehicleId}; ${texts.join(' ') || 'no rule about fuel applied'}`
}

/** Returns the rules that gave a decision. */
const deciding = ({ reasons }: PurchaseCheck, wanted: RuleOutcome): string[] =>
  reasons
    .filter(({ outcome, action }) => outcome === wanted && action === RuleAction.DECLINE)
    .map(({ rule }) => rule)

/** Returns the rules that failed on missing or stale data. */
function unsoundReasons({ id, reasons, evidence, purchasedAt }: PurchaseCheck): string[] {
  const ageSeconds = evidence.ageSeconds ?? Number.POSITIVE_INFINITY
  const levelAgeSeconds =
    evidence.fuelAt === null ? Number.POSITIVE_INFINITY : (purchasedAt - evidence.fuelAt) / 1000
  const isSound = (rule: string) => {
    if (rule === 'near_merchant') return ageSeconds <= rules.near_merchant.limits.maxAgeSeconds
    if (rule !== 'tank_fits') return true
    return evidence.capacityLiters !== null && levelAgeSeconds <= rules.tank_fits.limits.maxLevelAgeSeconds
  }
  return reasons
    .filter(({ outcome, rule }) => outcome === RuleOutcome.FAIL && !isSound(rule))
    .map(({ rule }) => `${rule} of ${id} failed on missing or stale data`)
}
