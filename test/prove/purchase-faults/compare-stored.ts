import type { Database } from '../../../src/storage/database.ts'
import type { PurchaseEvent } from './event-reader.ts'
import type { Findings } from './findings.ts'
import type { RecordedAnswers } from './recorded-answers.ts'

interface StoredCheck {
  readonly id: string
  readonly idempotencyKey: string
  readonly decision: string
}

interface Evidence {
  readonly answers: RecordedAnswers
  readonly events: readonly PurchaseEvent[]
  readonly findings: Findings
}

/** Compares the stored checks with the answers and the events. Returns their number. */
export async function compareStored(
  db: Database,
  applicationId: string,
  { answers, events, findings }: Evidence,
): Promise<number> {
  const stored = await db.rows<StoredCheck>(
    'SELECT `id`, `idempotencyKey`, `decision` FROM `purchase_checks` WHERE `applicationId` = ?',
    [applicationId],
  )
  compareAnswers(stored, answers, findings)
  compareEvents(stored, events, findings)
  return stored.length
}

function compareAnswers(stored: readonly StoredCheck[], answers: RecordedAnswers, findings: Findings): void {
  const byId = new Map(stored.map((check) => [check.id, check]))
  const byKey = grouped(stored, ({ idempotencyKey }) => idempotencyKey)
  for (const [key, checks] of byKey)
    if (checks.length > 1) findings.add('doubled', `${key}: ${checks.map(({ id }) => id).join(', ')}`)
  for (const [key, { id, decision }] of answers.entries()) {
    const check = byId.get(id)
    if (check?.idempotencyKey !== key) findings.add('lost', `${key}: ${id}`)
    else if (check.decision.toUpperCase() !== decision)
      findings.add('differs', `${key}: ${id} was answered as ${decision}, and is stored as ${check.decision}`)
  }
}

/** Each check has one `purchase.checked`, and one `purchase.declined` if it was declined. */
function compareEvents(
  stored: readonly StoredCheck[],
  events: readonly PurchaseEvent[],
  findings: Findings,
): void {
  const known = new Set(stored.map(({ id }) => id))
  const byCheck = grouped(events, ({ detail }) => detail.purchaseCheck.id)
  for (const { id, decision } of stored) {
    const own = byCheck.get(id) ?? []
    const expected = ['purchase.checked', ...(decision === 'decline' ? ['purchase.declined'] : [])]
    const types = own.map(({ type }) => type).toSorted()
    if (types.join() !== expected.join()) findings.add('event', `${id} has ${types.join(', ') || 'none'}`)
    for (const { detail } of own)
      if (detail.purchaseCheck.decision !== decision)
        findings.add('event', `${id} is ${decision}, and its event says ${detail.purchaseCheck.decision}`)
  }
  for (const [id, own] of byCheck)
    if (!known.has(id))
      findings.add('event', `${own[0]?.id} ${own[0]?.type} is about ${id}, which is not stored`)
}

function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}
