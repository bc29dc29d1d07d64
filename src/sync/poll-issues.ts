import type { IngestDeps } from './ingest/poll-latest.ts'
import type { LatestModel } from '../domain/record-models.ts'
import { OUTBOX_TOPIC } from '../storage/outbox.ts'
import { equal } from '../storage/sql/where.ts'
import type { Connection } from '../subgraphs/connections/connection.ts'
import { credentialsOf } from '../subgraphs/connections/credentials/open-account.ts'
import { reportIssue } from '../subgraphs/connections/issues/report-issue.ts'
import { resolveIssues } from '../subgraphs/connections/issues/resolve-issue.ts'
import { scopeMissing } from '../subgraphs/connections/issues/scope-missing.ts'

/** Issues of polls: a missing scope opens an issue, and the next successful poll resolves it. */

interface PollTarget {
  readonly connection: Connection
  readonly model: LatestModel
  readonly providerName: string
}

export async function reportPollIssue(deps: IngestDeps, { connection, model, providerName }: PollTarget) {
  const isConsented = 'refreshToken' in (await credentialsOf(deps, connection))
  const now = deps.clock.now()
  await deps.db.transaction(async (tx) => {
    const issue = scopeMissing({ model, providerName, isConsented })
    await reportIssue(tx, { ...issue, connection, providerName, syncId: null, now })
  })
  deps.notifier.notify(OUTBOX_TOPIC)
}

export async function resolvePollIssue(deps: IngestDeps, { connection, model, providerName }: PollTarget) {
  const { id, applicationId } = connection
  const [ongoing] = await deps.db.rows(
    "SELECT `id` FROM `issues` WHERE `applicationId` = ? AND `connectionId` = ? AND `model` = ? AND `status` = 'ongoing'",
    [applicationId, id, model],
  )
  if (!ongoing) return
  const now = deps.clock.now()
  await deps.db.transaction((tx) => resolveIssues(tx, connection, providerName, now, equal('model', model)))
  deps.notifier.notify(OUTBOX_TOPIC)
}
