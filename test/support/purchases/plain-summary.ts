import { litersOf } from '../../../src/subgraphs/purchases/evidence/liters-of.ts'
import { isFlagged } from '../../../src/subgraphs/purchases/policy/decide.ts'
import type { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'

export type SummaryKind = 'DAY' | 'VEHICLE' | 'DRIVER' | 'MERCHANT' | 'RULE'

const findingsOf = ({ reasons, reconciliation }: PurchaseCheck) => [
  ...reasons,
  ...(reconciliation?.reasons ?? []),
]

const nameKey = (name: string) =>
  name
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

function merchantKey({ merchant: { name, address } }: PurchaseCheck): string {
  const code = address?.postalCode?.toUpperCase().replaceAll(/[^A-Z0-9]/g, '') ?? 'none'
  return `${nameKey(name)} ${address?.country === 'US' ? code.slice(0, 5) : code}`
}

const spellingOf = ({ merchant: { name, address } }: PurchaseCheck) =>
  `${name.trim()} ${address?.postalCode ?? 'none'}`

/** Returns the most frequent spelling of a merchant; of several, the first in order. */
function mostFrequentSpelling(checks: readonly PurchaseCheck[]): string {
  const spellings = checks.map(spellingOf)
  const countOf = (spelling: string) => spellings.filter((other) => other === spelling).length
  const most = Math.max(...spellings.map(countOf))
  return spellings.filter((spelling) => countOf(spelling) === most).toSorted()[0]!
}

/** Returns the key of the group that a check belongs to. */
function groupKeyOf(
  by: Exclude<SummaryKind, 'RULE'>,
  check: PurchaseCheck,
  hiddenDrivers: ReadonlySet<string>,
): string {
  const { driverId } = check
  switch (by) {
    case 'DAY':
      return new Date(check.purchasedAt).toISOString().slice(0, 10)
    case 'VEHICLE':
      return check.vehicleId
    case 'DRIVER':
      return driverId === null || hiddenDrivers.has(driverId) ? 'none' : driverId
    case 'MERCHANT':
      return merchantKey(check)
  }
}

interface Surroundings {
  readonly all: readonly PurchaseCheck[]
  readonly hiddenDrivers: ReadonlySet<string>
}

/**
 * Sums visible checks as the API does, one by one in memory. `all` are the checks of the application: a capture may be
 * outside of the period of its authorization.
 */
export function plainSummary(
  by: SummaryKind,
  checks: readonly PurchaseCheck[],
  { all, hiddenDrivers }: Surroundings,
): Map<string, object> {
  if (by === 'RULE') return plainSummaryByRule(checks, all)
  const keyOf = (check: PurchaseCheck) => groupKeyOf(by, check, hiddenDrivers)
  return new Map(
    [...new Set(checks.map(keyOf))].map((key): [string, object] => {
      const members = checks.filter((check) => keyOf(check) === key)
      const shownKey = by === 'MERCHANT' ? mostFrequentSpelling(members) : key
      return [shownKey, { ...sums(members, all), ruleResults: null }]
    }),
  )
}

/** Sums the whole purchases of the period in which a rule failed, also if only a capture failed it. */
function plainSummaryByRule(
  checks: readonly PurchaseCheck[],
  all: readonly PurchaseCheck[],
): Map<string, object> {
  const purchases = checks
    .filter(({ authorizationCheckId }) => authorizationCheckId === null)
    .map((check) => [check, ...all.filter(({ authorizationCheckId }) => authorizationCheckId === check.id)])
  const outcomesOf = (check: PurchaseCheck, key: string) =>
    findingsOf(check).flatMap(({ rule, outcome }) => (rule.toUpperCase() === key ? [outcome as string] : []))
  const rules = [...checks, ...purchases.flat()].flatMap(findingsOf).map(({ rule }) => rule.toUpperCase())
  return new Map(
    [...new Set(rules)].flatMap((key): [string, object][] => {
      const failed = purchases.filter((members) =>
        members.some((check) => outcomesOf(check, key).includes('fail')),
      )
      const outcomes = checks.flatMap((check) => outcomesOf(check, key))
      const having = (outcome: string) => outcomes.filter((other) => other === outcome).length
      const ruleResults = { failed: having('fail'), passed: having('pass'), unknown: having('unknown') }
      if (failed.length + outcomes.length === 0) return []
      const unknowns = { wouldBeUnknown: null, capturesWouldBeUnknown: null }
      return [[key, { ...sums(failed.flat(), all), ...unknowns, ruleResults }]]
    }),
  )
}

function sums(members: readonly PurchaseCheck[], all: readonly PurchaseCheck[]) {
  const captures = members.filter(({ phase }) => phase === 'capture')
  const authorizations = members.filter(({ phase }) => phase === 'authorization')
  const deciding = members.filter(({ authorizationCheckId }) => authorizationCheckId === null)
  const captured = new Set(all.map(({ authorizationCheckId }) => authorizationCheckId))
  const open = authorizations.filter(({ id }) => !captured.has(id))
  const declined = open.filter(({ decision }) => decision === 'decline')
  const liters = captures.map(litersOf).filter((value) => value !== null)
  const count = (decision: string) => deciding.filter((check) => check.decision === decision).length
  const byStage = (counted: readonly PurchaseCheck[], decision: string) =>
    eachStage((stage) => counted.filter(({ wouldBe }) => wouldBe[stage] === decision).length)
  const decidingOf = (check: PurchaseCheck) =>
    all.find(({ id }) => id === check.authorizationCheckId) ?? check
  return {
    purchases: deciding.length,
    checks: members.length,
    authorizations: authorizations.length,
    captures: captures.length,
    liters: liters.length === 0 ? null : round(liters.reduce((total, value) => total + value, 0)),
    spend: amounts([...captures, ...open.filter((check) => !declined.includes(check))]),
    avoided: amounts(declined),
    declined: count('decline'),
    confirm: count('confirm'),
    unknown: count('unknown'),
    flagged: members.filter((check) => isFlagged(findingsOf(check))).length,
    wouldDecline: byStage(deciding, 'decline'),
    wouldConfirm: byStage(deciding, 'confirm'),
    wouldBeUnknown: byStage(deciding, 'unknown'),
    capturesWouldDecline: byStage(captures, 'decline'),
    capturesWouldConfirm: byStage(captures, 'confirm'),
    capturesWouldBeUnknown: byStage(captures, 'unknown'),
    wouldAvoid: eachStage((stage) =>
      amounts([...captures, ...open].filter((check) => decidingOf(check).wouldBe[stage] === 'decline')),
    ),
  }
}

const eachStage = <Value>(valueOf: (stage: 'v1' | 'v2' | 'v3') => Value) => ({
  v1: valueOf('v1'),
  v2: valueOf('v2'),
  v3: valueOf('v3'),
})

const round = (value: number) => Math.round(value * 1000) / 1000

const amounts = (checks: readonly PurchaseCheck[]) =>
  [...new Set(checks.map(({ amount }) => amount.currency))]
    .sort()
    .map((currency) => ({
      currency,
      value: round(
        checks
          .filter(({ amount }) => amount.currency === currency)
          .reduce((total, { amount }) => total + amount.value, 0),
      ),
    }))
    .filter(({ value }) => value !== 0)
