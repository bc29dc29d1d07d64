import { type ReactNode, useState } from 'react'
import { useZone } from '../shell/settings.ts'
import { formatAge, formatDateTime } from '../shell/time-format.ts'
import { useNow } from '../shell/use-now.ts'
import {
  adviceOf,
  type ConnectionRow,
  healthNames,
  healthOf,
  type Issue,
  nameOfConnection,
} from './connection-health.ts'

interface ConnectionItemProps {
  readonly row: ConnectionRow
  /** Links to other views of the connection. */
  readonly children: ReactNode
}

/** A connection: its health, its last sync, its issues and what to do next. */
export function ConnectionItem({ row, children }: ConnectionItemProps) {
  const { id, provider, tags, syncMode, linkUrl, status, issues } = row
  const health = healthOf(row)
  const advice = adviceOf(row)
  return (
    <article aria-label={`Connection ${nameOfConnection(row)}`} data-health={health}>
      <header>
        <h2>{nameOfConnection(row)}</h2>
        <p className="health">
          <span className="dot" aria-hidden="true" />
          {health === 'inactive' ? statusNames[status] : healthNames[health]}
        </p>
      </header>
      {advice !== null && <p className="advice">{advice}</p>}
      {health === 'broken' && linkUrl && <SignInLink url={linkUrl} />}
      <dl className="values">
        <div>
          <dt>Provider</dt>
          <dd>{provider.name}</dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd>{id}</dd>
        </div>
        {tags.length > 0 && (
          <div>
            <dt>Tags</dt>
            <dd>{tags.join(', ')}</dd>
          </div>
        )}
        <div>
          <dt>Syncs</dt>
          <dd>{syncMode === 'AUTOMATIC' ? 'automatic' : 'on request'}</dd>
        </div>
        <SyncTimes row={row} />
      </dl>
      {issues && issues.nodes.length > 0 && (
        <Issues issues={issues.nodes} hasMore={issues.pageInfo.hasNextPage} />
      )}
      <footer>{children}</footer>
    </article>
  )
}

const statusNames: Readonly<Record<ConnectionRow['status'], string>> = {
  CONNECTED: 'Connected',
  DISCONNECTED: 'Disconnected',
  ARCHIVED: 'Archived',
  PENDING_DELETION: 'Will be deleted',
  DELETING: 'Being deleted',
  DELETED: 'Deleted',
}

function SyncTimes({ row }: { readonly row: ConnectionRow }) {
  const { lastSync, lastSuccessfulSyncAt, disconnectedAt, deletionScheduledAt } = row
  const now = useNow()
  const zone = useZone()
  const isRunning = lastSync?.status === 'IN_PROGRESS' || lastSync?.status === 'REQUESTED'
  return (
    <>
      <div>
        <dt>Last successful sync</dt>
        <dd>{lastSuccessfulSyncAt ? formatAge(lastSuccessfulSyncAt, now) : 'never'}</dd>
      </div>
      {isRunning && (
        <div>
          <dt>Sync in progress</dt>
          <dd>
            <progress max={100} value={lastSync.progress} aria-label="Progress of the sync" />{' '}
            {Math.round(lastSync.progress)} %
          </dd>
        </div>
      )}
      {lastSync?.status === 'FAILED' && (
        <div>
          <dt>Last sync failed</dt>
          <dd>{lastSync.failureReason ?? 'for an unknown reason'}</dd>
        </div>
      )}
      {disconnectedAt && (
        <div>
          <dt>Disconnected</dt>
          <dd>{formatDateTime(disconnectedAt, zone)}</dd>
        </div>
      )}
      {deletionScheduledAt && (
        <div>
          <dt>Deletion</dt>
          <dd>{formatDateTime(deletionScheduledAt, zone)}</dd>
        </div>
      )}
    </>
  )
}

/** More issues than these are folded. */
const SHOWN_ISSUES = 3

function Issues({ issues, hasMore }: { readonly issues: readonly Issue[]; readonly hasMore: boolean }) {
  const now = useNow()
  return (
    <details open={issues.length <= SHOWN_ISSUES}>
      <summary>
        {issues.length}
        {hasMore ? ' or more' : ''} {issues.length === 1 ? 'issue' : 'issues'}
      </summary>
      <ul>
        {issues.map(({ id, error, lastReportedAt, documentationUrl }) => (
          <li key={id}>
            {error.message} <span className="faint">Last seen {formatAge(lastReportedAt, now)}.</span>{' '}
            {documentationUrl && (
              <a href={documentationUrl} target="_blank" rel="noreferrer">
                What to do
              </a>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** The link with which the fleet signs in again, to copy. */
function SignInLink({ url }: { readonly url: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(url)
    setIsCopied(true)
  }
  return (
    <p className="sign-in-link">
      <input
        aria-label="Sign-in link for the fleet"
        readOnly
        value={url}
        onFocus={({ target }) => target.select()}
      />
      {'clipboard' in navigator && (
        <button type="button" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
      )}
    </p>
  )
}
