import { useCallback, useEffect, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { query, SignedOut } from '../api/client.ts'
import { ConnectionHealthDocument } from '../api/generated/graphql.ts'
import { nodesOfPages } from '../api/pages.ts'
import { useSignInAgain } from '../shell/layout.tsx'
import { Failure, Loading, Notice } from '../shell/messages.tsx'
import { byUrgency, type ConnectionRow } from './connection-health.ts'
import { ConnectionItem } from './connection-item.tsx'

/** Interval at which the page reads again, to show the progress of syncs. */
const REFRESH_MS = 15_000

/** All connections with their health: what is wrong, and what to do next. */
export function ConnectionsPage() {
  const { rows, problem, read } = useConnections()
  return (
    <div className="page connections">
      <h1>Connections</h1>
      {problem !== null && <Failure error={problem} retry={read} />}
      {rows === null && problem === null && <Loading what="the connections" />}
      {rows?.length === 0 && (
        <Notice title="There are no connections yet">
          <p>A fleet links its account on the link pages. Then it appears here.</p>
        </Notice>
      )}
      <ul>
        {rows?.map((row) => (
          <li key={row.id}>
            <ConnectionItem row={row}>
              <Link to="/" search={{ connection: row.id }}>
                Vehicles on the live map
              </Link>
            </ConnectionItem>
          </li>
        ))}
      </ul>
    </div>
  )
}

function useConnections() {
  const [rows, setRows] = useState<readonly ConnectionRow[] | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const signInAgain = useSignInAgain()
  const read = useCallback(async () => {
    try {
      const all = await nodesOfPages(readPage)
      setRows(all.filter(({ status }) => status !== 'DELETED').sort(byUrgency))
      setProblem(null)
    } catch (error) {
      if (error instanceof SignedOut) signInAgain()
      else setProblem(error)
    }
    // The way to the sign-in is no reason to read again.
  }, [])
  useEffect(() => {
    void read()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void read()
    }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [read])
  return { rows, problem, read: () => void read() }
}

const readPage = async (after: string | null) =>
  (await query(ConnectionHealthDocument, { after })).connections
