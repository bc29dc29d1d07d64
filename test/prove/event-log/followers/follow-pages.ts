import { setTimeout as wait } from 'node:timers/promises'
import type { Follow, From } from './following.ts'
import type { LoggedEvent } from '../receipt-file.ts'

const PAGE = 500
const LOOK_MS = 50

const QUERY = `query ($after: ID, $first: Int) { events(after: $after, first: $first) { nodes { id detail } } }`

/** Reads pages from the last event on, until it is cut in the middle of one. */
export const followPages: Follow = async (from, receiptFile, cut) => {
  for (let { after } = from; !cut.aborted;) {
    const page = await pageOf({ ...from, after }, cut).catch((error: Error) => brokenOff(error))
    if (page === null) return
    for (const reported of page) receiptFile.note(reported)
    after = page.at(-1)?.id ?? after
    if (page.length < PAGE) await wait(LOOK_MS)
  }
}

/** Alternates between GraphQL and REST, which return the same. */
function pageOf(from: From, signal: AbortSignal): Promise<readonly LoggedEvent[]> {
  isRest = !isRest
  return isRest ? restPageOf(from, signal) : graphqlPageOf(from, signal)
}

let isRest = false

async function graphqlPageOf(
  { url, secretKey, after }: From,
  signal: AbortSignal,
): Promise<readonly LoggedEvent[]> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, variables: { after, first: PAGE } }),
    signal,
  })
  const text = await response.text()
  const { data } = JSON.parse(text) as {
    data?: { events: { nodes: readonly LoggedEvent[] } | null }
  }
  if (!data?.events) throw new Error(`unexpected page: ${text}`)
  return data.events.nodes
}

async function restPageOf(
  { url, secretKey, after }: From,
  signal: AbortSignal,
): Promise<readonly LoggedEvent[]> {
  const response = await fetch(`${url}/tsp/v1/events?after=${after}&limit=${PAGE}`, {
    headers: { authorization: `Bearer ${secretKey}` },
    signal,
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`unexpected page: ${text}`)
  return (JSON.parse(text) as { results: readonly LoggedEvent[] }).results
}

function brokenOff(error: Error): null {
  if (error.name === 'AbortError' || error.message === 'fetch failed') return null
  throw error
}
