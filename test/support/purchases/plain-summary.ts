import { litersOf } from '../../../src/subgraphs/purchases/evidence/liters-of.ts'
import { isFlagged } from '../../../src/subgraphs/purchases/policy/decide.ts'
import type { PurchaseCheck } from '../../../src/subgraphs/purchases/purchase-check.ts'

export type SummaryKind = 'DAY' | 'VEHICLE' | 'DRIVER' | 'MERCHANT' | 'RULE'

const findingsOf = ({ reasons, reconciliation }: PurchaseCheck) => [
  ...reasons,
  ...(reconciliation?.reasons ?? []),
]

/** Returns the keys of the groups that a check belongs to. */
function keysOf(by: SummaryKind, check: PurchaseCheck, hiddenDrivers: ReadonlySet<string>): string[] {
  const { merchant, driverId } = check
  switch (by) {
    case 'DAY':
      return [new Date(check.purchasedAt).toISOString().slice(0, 10)]
    case 'VEHICLE':
      return [check.vehicleId]
    case 'DRIVER':
      return [driverId === null || hiddenDrivers.has(driverId) ? 'none' : driverId]
    case 'MERCHANT':
      return [`${merchant.name.trim()} ${merchant.address?.postalCode ?? 'none'}`]
    case 'RULE':
      return [...new Set(findingsOf(check).map(({ rule }) => rule.toUpperCase()))]
  }
}

/**
 * Sums visible checks as the API does, one by one in memory. `all` are the checks of the application: a capture may be
 * outside of the period of its authorization.
 */
export function plainSummary(
  by: SummaryKind,
  checks: readonly PurchaseCheck[],
  { all, hiddenDrivers }: { all: readonly PurchaseCheck[]; hiddenDrivers: ReadonlySet<string> },
): Map<string, object> {
  const keys = [...new Set(checks.flatMap((check) => keysOf(by, check, hiddenDrivers)))]
  return new Map(
    keys.map((key): [string, object] => {
      const members = checks.filter((check) => keysOf(by, check, hiddenDrivers).includes(key))
      if (by !== 'RULE') return [key, { ...sums(members, all), ruleResults: null }]
      const results = members.map((check) =>
        findingsOf(check).filter(({ rule }) => rule.toUpperCase() === key),
      )
      const having = (outcome: string) =>
        results.flatMap((findings) => findings.filter((finding) => finding.outcome === outcome)).length
      const failed = members.filter((_, at) => results[at]!.some(({ outcome }) => outcome === 'fail'))
      const ruleResults = { failed: having('fail'), passed: having('pass'), unknown: having('unknown') }
      return [key, { ...sums(failed, all), ruleResults }]
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
  const byStage = (decision: string) => {
    const countOf = (stage: 'v1' | 'v2' | 'v3') =>
      deciding.filter(({ wouldBe }) => wouldBe[stage] === decision).length
    return { v1: countOf('v1'), v2: countOf('v2'), v3: countOf('v3') }
  }
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
    wouldDecline: byStage('decline'),
    wouldBeUnknown: byStage('unknown'),
  }
}

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
